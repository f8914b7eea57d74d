import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

export type Keys = Record<string, (() => unknown) | undefined>;

const storageKey = 'service-no-shortcuts';

/** Whoever speaks to their machine, or types without looking, can have them off. */
export const areKeysOn = signal(readOff() !== 'yes');

export function turnKeys(on: boolean): void {
  areKeysOn.value = on;
  try {
    if (on) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, 'yes');
  } catch {
    // Without storage it holds until the page is loaded again.
  }
}

/** Single keys, while the component is there. Not while somebody types, and not with Ctrl, Alt or Meta. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!areKeysOn.value || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
      if (isTyping(event.target) || document.querySelector('dialog[open]')) return;
      const run = latest.current[event.key];
      if (!run) return;
      event.preventDefault();
      run();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const isField = target.matches('input:not([type=checkbox]), textarea, select') || target.isContentEditable;
  return isField;
}

function readOff(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    // A browser that keeps nothing.
    return null;
  }
}
