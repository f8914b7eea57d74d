import { useLayoutEffect, useRef } from 'preact/hooks';
import { signal } from '@preact/signals';

const name = 'service-no-shortcuts';

/** Whoever speaks to their machine, or types without looking, can have them off. */
export const areKeysOn = signal(!('localStorage' in window && localStorage.getItem(name)));

export function turnKeys(on: boolean): void {
  areKeysOn.value = on;
  if (on) localStorage.removeItem(name);
  else localStorage.setItem(name, 'yes');
}

/** Single keys, while the component is there. Not while somebody types, and not with Ctrl, Alt or Meta. */
export function useKeys(keys: Record<string, () => unknown>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { key, target, ctrlKey, altKey, metaKey } = event;
      const run = latest.current[key];
      if (!run || !areKeysOn.value || ctrlKey || altKey || metaKey) return;
      const isTyping = target instanceof Element && target.matches('input:not([type=checkbox]), textarea, select');
      if (isTyping || document.querySelector('dialog')) return;
      event.preventDefault();
      run();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}
