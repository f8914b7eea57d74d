import { drain } from '../capture.ts';
import type { Client } from '../client.ts';
import { listen } from '../listen.ts';

/** Reports the captured errors when the page is left or hidden: the next task may never run. */
export function instrumentPageExit(client: Client): void {
  listen(client, 'visibilitychange', () => drain(client));
  listen(client, 'pagehide', () => {
    client.isLeaving = true;
    drain(client);
  });
}
