import { capture } from '../capture.ts';
import type { Client } from '../client.ts';
import { listen } from '../listen.ts';
import type { BrowserGlobal } from '../page-state.ts';
import { patchMethod, type Teardown } from '../patch-method.ts';
import { isResourceEvent } from './resources.ts';

/** Captures the uncaught errors of the page. */
export function instrumentGlobalErrors(client: Client, window: BrowserGlobal): Teardown[] {
  const owner: { onerror: OnErrorEventHandlerNonNull } = Object(window);
  return [
    listen(window, 'error', (event) => {
      if (!isResourceEvent(event)) capture(client, event);
    }),
    // Tests and old frameworks call `onerror` directly, some with the event alone. Errors that the listener has captured
    // arrive here too, and are one error. An earlier handler is still called, and its result is returned.
    patchMethod(owner, 'onerror', (args) => void capture(client, args[4] ?? args[0])),
  ];
}
