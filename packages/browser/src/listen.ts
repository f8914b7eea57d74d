import { guard, type Client } from './client.ts';

/** Listens to an event of the window until the client is closed, before the page can stop the event. */
export function listen<Name extends keyof WindowEventMap>(
  client: Client,
  name: Name,
  listener: (event: WindowEventMap[Name]) => void,
): void {
  const { window, teardowns } = client;
  const guarded = (event: WindowEventMap[Name]): void => guard(client, () => listener(event));
  window.addEventListener(name, guarded, true);
  teardowns.push(() => window.removeEventListener(name, guarded, true));
}
