import { drain } from '../capture.ts';
import type { Client } from '../client.ts';
import { listen } from '../listen.ts';

/** Sends the captured errors when the page is left: the next task may never run. */
export function instrumentPageExit(client: Client): void {
  listen(client, 'pagehide', () => drain(client, true));
}
