const entryPattern = /[^\s,;]+/g;

/** Splits the text of a field into its entries, separated by line breaks, spaces, commas or semicolons. */
export const splitEntries = (text: string): string[] => text.match(entryPattern) ?? [];

/** Returns the position of an entry in the text of its field, or null if there is no such entry. */
export function locateEntry(text: string, index: number): { start: number; end: number; line: number } | null {
  const found = Array.from(text.matchAll(entryPattern))[index];
  if (!found) return null;
  const line = text.slice(0, found.index).split('\n').length;
  return { start: found.index, end: found.index + found[0].length, line };
}
