import { Component, type ErrorInfo, type ReactNode } from 'react';
import { captureFrameworkError } from '../default-client.ts';
import { readText } from '../read-property.ts';

/** Replaces children that failed to render. `reset` renders the children again. */
export type Fallback = ReactNode | ((error: unknown, reset: () => void) => ReactNode);

export interface ErrorBoundaryProps {
  children?: ReactNode;
  /** Nothing is rendered by default. */
  fallback?: Fallback;
  /** Called with each error after it was captured. */
  onError?: (error: unknown, info: ErrorInfo) => void;
}

interface State {
  /** A list, because a thrown value may be null. */
  thrown: [unknown] | null;
}

/** Reports errors that its children throw during rendering, with the component stack, and renders the fallback. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  static getDerivedStateFromError(error: unknown): State {
    // Next.js throws an error to redirect, or to show a page that does not exist. Its boundaries above handle it.
    if (readText(error, 'digest').startsWith('NEXT_')) throw error;
    return { thrown: [error] };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    captureFrameworkError(error, { componentStack: info.componentStack });
    this.props.onError?.(error, info);
  }

  override render(): ReactNode {
    const { children, fallback } = this.props;
    // The state is null before the first error.
    const thrown = (this.state as State | null)?.thrown;
    if (!thrown) return children;
    return typeof fallback === 'function' ? fallback(thrown[0], () => this.setState({ thrown: null })) : fallback;
  }
}
