import { capture } from '../capture.ts';
import type { Client } from '../client.ts';
import { sourceOf } from '../describe-value.ts';
import { listen } from '../listen.ts';
import type { BrowserGlobal } from '../page-state.ts';
import type { Teardown } from '../patch-method.ts';

/**
 * Returns whether an `error` event is about an image, a script or a style sheet that failed to load. Only an uncaught
 * error has a message. The target is not compared with the window: a frame or an element of the page may have the name of
 * any property of the window.
 */
export function isResourceEvent(event: Partial<ErrorEvent>): boolean {
  return event.type === 'error' && event.message == null;
}

/** Captures the failure of images, scripts and style sheets to load. */
export function instrumentResources(client: Client, window: BrowserGlobal): Teardown {
  return listen(window, 'error', (event) => captureResourceEvent(client, event));
}

export function captureResourceEvent(client: Client, event: Event, early?: number): void {
  const url = sourceOf(event.target);
  if (url && isResourceEvent(event)) capture(client, `Could not load ${url}`, undefined, early);
}
