import { capture } from '../capture.ts';
import type { Client } from '../client.ts';
import { listen } from '../listen.ts';
import type { BrowserGlobal } from '../page-state.ts';
import type { Teardown } from '../patch-method.ts';
import { isResourceEvent } from './resources.ts';

/** Captures the uncaught errors of the page. */
export function instrumentGlobalErrors(client: Client, window: BrowserGlobal): Teardown {
  return listen(window, 'error', (event) => {
    if (!isResourceEvent(event)) capture(client, event);
  });
}
