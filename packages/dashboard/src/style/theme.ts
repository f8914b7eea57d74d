import { signal } from '@preact/signals';

const storageKey = 'service-look';

export const themes = [
  ['', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

/** Empty: as the system. */
export const theme = signal('');

/** What was chosen in this browser. */
export function applyTheme(): void {
  try {
    show(localStorage.getItem(storageKey) ?? '');
  } catch {
    // A browser that keeps nothing: as the system, then.
  }
}

export function setTheme(name: string): void {
  show(name);
  try {
    if (name) localStorage.setItem(storageKey, name);
    else localStorage.removeItem(storageKey);
  } catch {
    // It holds until the page is loaded again.
  }
}

function show(name: string): void {
  theme.value = name;
  document.documentElement.style.colorScheme = name;
}
