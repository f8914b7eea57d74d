import { listen } from '../listen.ts';
import type { Page } from '../page.ts';
import { undoAll, type Undo } from '../undo.ts';
import { wrap } from '../wrap.ts';

/**
 * Captures what nobody caught, by a listener. window.onerror is hooked too, for it is also called directly, by tests
 * and old frameworks; an earlier handler is still called, and its answer returned.
 */
export function captureOnerror(window: Page, capture: (thrown: unknown) => void): Undo {
  return undoAll([
    // First, for an event knows the place of what is no error.
    listen(window, 'error', (event) => {
      // An event of a node is a resource that failed to load.
      if (!(event.target as Partial<Node> | null)?.nodeType) capture(event);
    }),
    // What the listener has seen comes by here too, and is held back as the same error. Some call with the event alone.
    wrap(window as unknown as { onerror: OnErrorEventHandlerNonNull }, 'onerror', (args) =>
      capture(args[4] ?? args[0]),
    ),
  ]);
}
