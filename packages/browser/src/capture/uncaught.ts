import { listen } from '../listen.ts';
import type { Page } from '../page.ts';
import type { Undo } from '../undo.ts';
import { wrap } from '../wrap.ts';
import { captureErrorEvent } from './error-event.ts';

/**
 * Captures what nobody caught, by listeners. window.onerror is hooked too, for it is also called directly, by tests and
 * old frameworks; an earlier handler is still called, and its answer returned.
 */
export function captureUncaught(window: Page, capture: (thrown: unknown) => void): Undo {
  return [
    listen(window, 'error', (event) => captureErrorEvent(event, capture)),
    listen(window, 'unhandledrejection', capture),
    // What the listener has seen comes by here too, and is held back as the same error. Some call with the event alone.
    wrap(window as unknown as { onerror: OnErrorEventHandlerNonNull }, 'onerror', (args) =>
      capture(args[4] ?? args[0]),
    ),
  ];
}
