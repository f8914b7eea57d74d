import { listen } from '../listen.ts';
import { onClose } from '../undo.ts';

/**
 * Captures what nobody caught, by a listener. window.onerror is hooked too, for it is also called directly, by tests
 * and old frameworks; an earlier handler is still called, and its answer returned.
 */
export function captureOnerror(window: typeof globalThis & Window, capture: (thrown: unknown) => void): void {
  const earlier = window.onerror;
  // What the listener has seen comes by here too, and is held back as the same error. Some call with the event alone.
  const onerror: OnErrorEventHandlerNonNull = (...args) => {
    capture(args[4] ?? args[0]);
    return earlier?.apply(window, args);
  };
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is this very handler that is asked for
  window.onerror = onerror;
  onClose(() => {
    // oxlint-disable-next-line unicorn/prefer-add-event-listener
    if (window.onerror === onerror) window.onerror = earlier;
  });
  listen(window, 'error', (event) => {
    // An event of a node is a resource that failed to load.
    if (!(event.target as Partial<Node> | null)?.nodeType) capture(event);
  });
}
