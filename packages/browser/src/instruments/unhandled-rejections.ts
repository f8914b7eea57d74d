import { capture } from '../capture.ts';
import type { Client } from '../client.ts';
import { listen } from '../listen.ts';

/** Captures the rejections that the page does not handle. */
export function instrumentUnhandledRejections(client: Client): void {
  listen(client, 'unhandledrejection', (event) => void capture(client, event));
}
