import type { GlobalWindow } from './global-state.ts';
import type { Teardown } from './teardown.ts';

/** Adds a capturing listener, which runs before the page can stop the event. The listener must not throw. */
export function listen<Name extends keyof WindowEventMap>(
  window: GlobalWindow,
  name: Name,
  listener: (event: WindowEventMap[Name]) => void,
): Teardown {
  window.addEventListener(name, listener, true);
  return () => window.removeEventListener(name, listener, true);
}
