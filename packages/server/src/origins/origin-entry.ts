import { limits } from '@service/protocol';

/** Returns whether a text is a valid entry of the allow-list: an exact origin, `https://*.example.com`, or `*`. */
export function isOriginEntry(entry: string): boolean {
  if (entry === '*') return true;
  const isForm =
    /^https?:\/\/(\*\.)?[a-z0-9.-]+(:\d{1,5})?$/i.test(entry) || /^https?:\/\/\[[0-9a-f:.]+\](:\d{1,5})?$/i.test(entry);
  return isForm && URL.canParse(entry.replace('*.', ''));
}

/** Returns the entries without duplicates, in the form in which browsers send origins: lower case, no default port. */
export function normalEntries(entries: readonly string[]): string[] {
  return [...new Set(entries.map(normalEntry))];
}

/**
 * Returns a function that decides whether an origin is allowed. An empty list allows pages of this machine. `null`, the
 * origin of every sandboxed page, is never allowed. The cost does not depend on the length of the list: one or two
 * lookups, and one more per label of the host if the list has `*.` entries.
 */
export function originRule(entries: readonly string[]): (origin: string) => boolean {
  const known = new Set(normalEntries(entries));
  if (known.size === 0) return (origin) => loopbackOrigin.test(origin);
  if (known.has('*')) return (origin) => origin !== 'null';
  const hasStars = [...known].some((entry) => entry.includes('*'));
  return (origin) => {
    if (known.has(origin)) return true;
    const lowerCase = origin.toLowerCase();
    return known.has(lowerCase) || (hasStars && matchesWildcard(lowerCase, known));
  };
}

const loopbackOrigin = /^https?:\/\/(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** Returns whether the list has a wildcard that covers at least one leading label of the host. */
function matchesWildcard(origin: string, known: ReadonlySet<string>): boolean {
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
