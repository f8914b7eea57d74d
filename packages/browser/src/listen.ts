import { guard } from './guard.ts';
import type { Page } from './page.ts';
import type { Undo } from './undo.ts';

/** Listens on the window before anything in the page can stop the event. */
export function listen<Name extends keyof WindowEventMap>(
  window: Page,
  name: Name,
  listener: (event: WindowEventMap[Name]) => void,
): Undo {
  const guarded = guard(listener);
  window.addEventListener(name, guarded, true);
  return () => window.removeEventListener(name, guarded, true);
}
