import { capture } from './capture.ts';
import type { Client } from './client.ts';
import { sourceOf } from './describe-value.ts';
import type { EarlyEvent } from './page-state.ts';

/** Captures the failure of an image, a script or a style sheet to load. */
export function captureResource(client: Client, { target, early }: EarlyEvent): void {
  const url = sourceOf(target);
  if (url) capture(client, `Could not load ${url}`, undefined, early);
}
