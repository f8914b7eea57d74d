interface Settings {
  theme: string;
}

export function readSettings(text: string): Settings {
  return JSON.parse(text) as Settings;
}

export function readProfile(text: string): { name: string } {
  const profile = JSON.parse(text) as { name: string };
  return { name: profile.name };
}

export function searchPattern(words: string): RegExp {
  return new RegExp(words, 'i');
}

export function label(kind: symbol): string {
  return `kind: ${kind as unknown as string}`;
}

export function freezeSettings(settings: Settings, key: string): void {
  Object.preventExtensions(settings);
  Object.defineProperty(settings, key, { value: true });
}
