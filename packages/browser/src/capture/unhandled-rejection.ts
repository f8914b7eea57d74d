import { listen } from '../listen.ts';
import type { Undo } from '../wrap.ts';

/** Captures promises that were rejected and that nobody handled. */
export function captureUnhandledRejection(window: Window, capture: (event: PromiseRejectionEvent) => void): Undo {
  return listen(window, 'unhandledrejection', capture);
}
