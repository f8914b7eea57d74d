import type { Client } from './client.ts';

declare global {
  interface WindowEventMap {
    /** An event of the document. A capturing listener of the window receives it too. */
    visibilitychange: Event;
  }
}

/**
 * Listens to an event until the client is closed, before the page can stop the event. The listener must not throw.
 */
export function listen<Name extends keyof WindowEventMap>(
  { window, teardowns }: Client,
  name: Name,
  listener: (event: WindowEventMap[Name]) => void,
): void {
  window.addEventListener(name, listener, true);
  teardowns.push(() => window.removeEventListener(name, listener, true));
}
