import { listen } from '../listen.ts';
import type { Undo } from '../wrap.ts';

/**
 * Captures what nobody caught, by a listener. window.onerror is hooked too, for it is also called directly, by tests
 * and old frameworks; an earlier handler is still called, and its answer returned.
 */
export function captureOnerror(window: typeof globalThis & Window, capture: (thrown: unknown) => void): Undo[] {
  const earlier = window.onerror;
  let seen: unknown[] = [];
  const onerror: OnErrorEventHandlerNonNull = (...args) => {
    // The listener runs first, so what comes by here was seen. Some call with the event alone.
    if (!seen.includes(args[0])) capture(args[4] ?? args[0]);
    seen = [];
    return earlier?.apply(window, args);
  };
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is this very handler that is asked for
  window.onerror = onerror;

  return [
    listen(window, 'error', (event) => {
      // An event of a node is a resource that failed to load.
      if ((event.target as Partial<Node> | null)?.nodeType) return;
      seen = [event, event.message];
      capture(event);
    }),
    () => {
      // oxlint-disable-next-line unicorn/prefer-add-event-listener
      if (window.onerror === onerror) window.onerror = earlier;
    },
  ];
}
