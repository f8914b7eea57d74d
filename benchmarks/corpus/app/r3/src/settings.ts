import { measured } from './lib/measured.ts';

interface Settings {
  theme: string;
}

export function readSettings(text: string): Settings {
  return measured('settings', () => JSON.parse(text) as Settings);
}

export function readProfile(text: string): { name: string } {
  const profile = JSON.parse(text) as { name: string };
  return { name: profile.name };
}

export function searchPattern(words: string): RegExp {
  const pattern = words.trim();
  return new RegExp(pattern, 'iu');
}

export function label(kind: symbol): string {
  const text = kind as unknown as string;
  return `kind: ${text}!`;
}

export function freezeSettings(settings: Settings, key: string): void {
  Object.preventExtensions(settings);
  Object.defineProperty(settings, key, { value: true });
}
