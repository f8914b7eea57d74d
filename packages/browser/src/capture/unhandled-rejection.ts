import { listen } from '../listen.ts';

/** Captures promises that were rejected and that nobody handled. */
export function captureUnhandledRejection(window: Window, capture: (event: PromiseRejectionEvent) => void): void {
  listen(window, 'unhandledrejection', capture);
}
