import { drain } from '../capture.ts';
import type { Client } from '../client.ts';
import { listen } from '../listen.ts';
import type { BrowserGlobal } from '../page-state.ts';
import type { Teardown } from '../patch-method.ts';

/** Sends the captured errors when the page is left: the next task may never run. */
export function instrumentPageExit(client: Client, window: BrowserGlobal): Teardown {
  return listen(window, 'pagehide', () => drain(client, true));
}
