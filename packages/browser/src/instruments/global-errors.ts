import { captureErrorEvent } from '../capture-error-event.ts';
import type { Client } from '../client.ts';
import { listen } from '../listen.ts';

/** Captures the uncaught errors of the page, and resources that fail to load. */
export function instrumentGlobalErrors(client: Client): void {
  listen(client, 'error', (event) => captureErrorEvent(client, event));
}
