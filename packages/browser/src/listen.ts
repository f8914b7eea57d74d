import type { Page } from './page.ts';
import type { Undo } from './undo.ts';

/** Listens on the window before anything in the page can stop the event. The listener must not throw. */
export function listen<Name extends keyof WindowEventMap>(
  window: Page,
  name: Name,
  listener: (event: WindowEventMap[Name]) => void,
): Undo {
  window.addEventListener(name, listener, true);
  return () => window.removeEventListener(name, listener, true);
}
