import { capture } from '../capture.ts';
import type { Client } from '../client.ts';
import { urlOf } from '../normalize.ts';

/** Captures the failure of an image, a script or a style sheet to load. `early` as in `capture()`. */
export function captureResource(client: Client, event: Event, early?: number): void {
  const url = urlOf(event.target);
  if (url) capture(client, `Could not load ${url}`, undefined, early);
}
