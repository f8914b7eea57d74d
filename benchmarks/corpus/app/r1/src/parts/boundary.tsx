import { Component, type ComponentChildren } from 'preact';
import { reportCaught } from '../lib/report.ts';

interface Props {
  children: ComponentChildren;
}

/** Keeps the rest of the page when a part of it fails. */
export class Boundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  override componentDidCatch(error: unknown): void {
    reportCaught(error);
    this.setState({ failed: true });
  }

  override render() {
    return this.state.failed ? <p role="alert">This part is not there now.</p> : this.props.children;
  }
}

/** The same for widgets, which are told by their own error. */
export class WidgetBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  override componentDidCatch(error: unknown): void {
    reportCaught(new Error('A widget crashed', { cause: error }));
    this.setState({ failed: true });
  }

  override render() {
    return this.state.failed ? null : this.props.children;
  }
}
