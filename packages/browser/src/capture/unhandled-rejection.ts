import { listen } from '../listen.ts';

/** Captures promises that were rejected and that nobody handled. */
export function captureUnhandledRejection(capture: (event: PromiseRejectionEvent) => void): void {
  listen('unhandledrejection', capture);
}
