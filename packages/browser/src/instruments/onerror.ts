import { capture } from '../capture.ts';
import type { Client } from '../client.ts';
import { patchMethod } from '../patch-method.ts';

/**
 * Captures direct calls of `window.onerror`, as tests and old frameworks make them, some with the event alone. Errors
 * that the `error` listener has captured arrive here too, and are one error. An earlier handler is still called, and
 * its result is returned.
 */
export function instrumentOnerror(client: Client): void {
  const owner: { onerror: OnErrorEventHandlerNonNull } = Object(client.window);
  patchMethod(client, owner, 'onerror', (args) => void capture(client, args[4] ?? args[0]));
}
