const entry = /[^\s,;]+/g;

/** The entries of a field that takes several, on lines or with commas between them. */
export const entriesOf = (text: string): string[] => text.match(entry) ?? [];

/** Returns the position of an entry in its field, or null if there is none. */
export function entryAt(text: string, index: number): { start: number; end: number; line: number } | null {
  const found = Array.from(text.matchAll(entry))[index];
  if (!found) return null;
  const line = text.slice(0, found.index).split('\n').length;
  return { start: found.index, end: found.index + found[0].length, line };
}
