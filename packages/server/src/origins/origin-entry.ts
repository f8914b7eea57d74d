import { limits } from '@service/protocol';

/** An entry of the allow-list: an exact origin, `https://*.example.com`, or `*`. */
export function isOriginEntry(entry: string): boolean {
  if (entry === '*') return true;
  const isForm =
    /^https?:\/\/(\*\.)?[a-z0-9.-]+(:\d{1,5})?$/i.test(entry) || /^https?:\/\/\[[0-9a-f:.]+\](:\d{1,5})?$/i.test(entry);
  return isForm && URL.canParse(entry.replace('*.', ''));
}

/** The same entries as browsers write origins: small letters, no default port, each once. */
export function normalEntries(entries: readonly string[]): string[] {
  return [...new Set(entries.map(normalEntry))];
}

/**
 * What a list of entries lets in. Without any entry that is the pages of this machine; `null`, which every sandboxed
 * page calls itself, is never let in. However long the list is, an answer takes a look-up or, for `*.`, one a label.
 */
export function originRule(entries: readonly string[]): (origin: string) => boolean {
  const known = new Set(normalEntries(entries));
  if (known.size === 0) return (origin) => loopback.test(origin);
  if (known.has('*')) return (origin) => origin !== 'null';
  const hasStars = [...known].some((entry) => entry.includes('*'));
  return (origin) => {
    if (known.has(origin)) return true;
    const small = origin.toLowerCase();
    return known.has(small) || (hasStars && isBelowEntry(small, known));
  };
}

const loopback = /^https?:\/\/(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** Whether the list has the origin with its first labels, any number but none, as a star. */
function isBelowEntry(origin: string, known: ReadonlySet<string>): boolean {
  const host = origin.indexOf('://') + 3;
  if (host < 3 || origin.length > limits.originChars) return false;
  const scheme = origin.slice(0, host);
  for (let dot = origin.indexOf('.', host + 1); dot > 0; dot = origin.indexOf('.', dot + 1)) {
    if (known.has(`${scheme}*${origin.slice(dot)}`)) return true;
  }
  return false;
}

function normalEntry(entry: string): string {
  const isStar = entry.includes('*.');
  const url = entry.replace('*.', '');
  if (!URL.canParse(url)) return entry;
  const { origin } = new URL(url);
  return isStar ? origin.replace('://', '://*.') : origin;
}
