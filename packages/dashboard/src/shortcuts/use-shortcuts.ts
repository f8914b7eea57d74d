import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

const storageKey = 'service-no-shortcuts';

/** False if the user has disabled the shortcuts: speech input and blind typing can trigger single keys. */
export const areShortcutsEnabled = signal(!('localStorage' in window && localStorage.getItem(storageKey)));

export function setShortcutsEnabled(isEnabled: boolean): void {
  areShortcutsEnabled.value = isEnabled;
  if (isEnabled) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, 'yes');
}

/**
 * Handles single keys while the component is mounted. Ignores keys that go to a text field or a menu, keys pressed with
 * Ctrl, Alt or Meta, and all keys while a dialog is open.
 */
export function useShortcuts(handlers: Record<string, () => unknown>): void {
  const latestHandlers = useRef(handlers);
  latestHandlers.current = handlers;
  // A layout effect: a key that is pressed as soon as the screen is visible must not be lost.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { key, target, ctrlKey, altKey, metaKey } = event;
      const handle = latestHandlers.current[key];
      if (!handle || !areShortcutsEnabled.value || ctrlKey || altKey || metaKey) return;
      const isTyping = target instanceof Element && target.matches('input:not([type=checkbox]), textarea, select');
      if (isTyping || document.querySelector('dialog')) return;
      event.preventDefault();
      handle();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}
