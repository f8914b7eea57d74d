import type { BrowserGlobal } from './page-state.ts';
import type { Teardown } from './patch-method.ts';

/** Adds a capturing listener, which runs before the page can stop the event. The listener must not throw. */
export function listen<Name extends keyof WindowEventMap>(
  window: BrowserGlobal,
  name: Name,
  listener: (event: WindowEventMap[Name]) => void,
): Teardown {
  window.addEventListener(name, listener, true);
  return () => window.removeEventListener(name, listener, true);
}
