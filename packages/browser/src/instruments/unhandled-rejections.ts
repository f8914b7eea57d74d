import { capture } from '../capture.ts';
import type { Client } from '../client.ts';
import { listen } from '../listen.ts';
import type { BrowserGlobal } from '../page-state.ts';
import type { Teardown } from '../patch-method.ts';

/** Captures the rejections that the page does not handle. */
export function instrumentUnhandledRejections(client: Client, window: BrowserGlobal): Teardown {
  return listen(window, 'unhandledrejection', (event) => void capture(client, event));
}
