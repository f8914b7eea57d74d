import { guard } from './guard.ts';
import type { Undo } from './wrap.ts';

/** Listens on the window before anything in the page can stop the event. */
export function listen<Name extends keyof WindowEventMap>(
  window: Window,
  name: Name,
  listener: (event: WindowEventMap[Name]) => void,
): Undo {
  const guarded = guard('add context', listener);
  window.addEventListener(name, guarded, true);
  return () => window.removeEventListener(name, guarded, true);
}
