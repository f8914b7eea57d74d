import { guard } from './guard.ts';
import { onClose } from './undo.ts';

/** Listens on the window before anything in the page can stop the event. */
export function listen<Name extends keyof WindowEventMap>(
  name: Name,
  listener: (event: WindowEventMap[Name]) => void,
): void {
  const guarded = guard(listener);
  addEventListener(name, guarded, true);
  onClose(() => removeEventListener(name, guarded, true));
}
