import { capture } from './capture.ts';
import type { Client } from './client.ts';
import type { EarlyEvent } from './page-state.ts';

/**
 * Captures an error event of the window, or an unhandled rejection that the loader kept. Only an uncaught error has a
 * message; without one, an image, a script or a style sheet has failed to load. The target is not compared with the
 * window: a frame or an element of the page may have the name of any property of the window.
 */
export function captureErrorEvent(client: Client, event: EarlyEvent & Partial<ErrorEvent>): void {
  const { type, message, early } = event;
  if (type === 'error' && message == null) client.captureResource?.(client, event);
  else capture(client, event, undefined, early);
}
