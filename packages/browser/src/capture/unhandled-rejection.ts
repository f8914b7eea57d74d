import { listen } from '../listen.ts';
import type { Page } from '../page.ts';
import type { Undo } from '../undo.ts';

/** Captures promises that were rejected and that nobody handled. */
export function captureUnhandledRejection(window: Page, capture: (event: PromiseRejectionEvent) => void): Undo {
  return listen(window, 'unhandledrejection', capture);
}
