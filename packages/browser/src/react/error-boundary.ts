import { Component, type ErrorInfo, type ReactNode } from 'react';
import { captureWith } from '../client.ts';

/** What is shown in the place of children that failed. `reset` renders the children anew. */
export type Fallback = ReactNode | ((error: unknown, reset: () => void) => ReactNode);

export interface ErrorBoundaryProps {
  children?: ReactNode;
  /** Nothing is shown unless it is given. */
  fallback?: Fallback;
  /** Called with each error, after it was reported. */
  onError?: (error: unknown, info: ErrorInfo) => void;
}

interface State {
  /** In a list, for what is thrown may be anything, null too. */
  thrown: [unknown] | null;
}

/** Reports what its children throw while they render, with the components around it, and shows the fallback instead. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  static getDerivedStateFromError(error: unknown): State {
    return { thrown: [error] };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    captureWith(error, { componentStack: info.componentStack });
    this.props.onError?.(error, info);
  }

  override render(): ReactNode {
    const { children, fallback } = this.props;
    // There is no state before the first error.
    const thrown = (this.state as State | null)?.thrown;
    if (!thrown) return children;
    return typeof fallback === 'function' ? fallback(thrown[0], () => this.setState({ thrown: null })) : fallback;
  }
}
