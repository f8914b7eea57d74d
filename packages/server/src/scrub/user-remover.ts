import { decodeOnce, replaceBase64 } from './encoded.ts';
import { removedText } from './removed-text.ts';

/**
 * A shorter id may be part of other text. It is removed only after a name such as `user=` or a path such as `users/`.
 */
const minIdChars = 5;
const maxDecodings = 3;
/** Ids that pages send for users who are not signed in. */
const anonymousIds = new Set([
  'undefined',
  'null',
  'none',
  'nobody',
  'anonymous',
  'anon',
  'guest',
  'unknown',
  'true',
  'false',
]);
const named = String.raw`(?<=(?:user|uid|account|customer|member|visitor)(?:s|_?id)?(?:\\{0,7}["'\]])?\s?[:=/]\s?(?:\\{0,7}["'])?)`;

/**
 * Returns a function that removes the user's id, name or e-mail address from texts, in every encoding: URL, JSON
 * string, HTML, base64, hexadecimal. It must be called before the text is truncated, because a part of an id is not
 * recognized.
 */
export function userRemover(id: string): (text: string) => string {
  if (id.trim() === '' || anonymousIds.has(id.trim().toLowerCase())) return (text) => text;
  const spellings = Array.from(spellingsOf(id), escaped).join('|');
  const isNumber = /^\d+$/.test(id);
  // Words such as `admin` and `error`, and numbers, also occur as parts of longer words and numbers, so they match only
  // whole.
  const isWord = /^[A-Za-z]+$/.test(id);
  const alone = isNumber ? `(?<!\\d)(?:${spellings})(?!\\d)` : isWord ? `\\b(?:${spellings})\\b` : `(?:${spellings})`;
  const pattern = new RegExp(id.length < minIdChars ? `${named}(?:${spellings})(?![\\w-])` : alone, 'gi');
  const remove = (text: string): string => text.replace(pattern, removedText);
  const contains = (text: string): boolean => id.length >= minIdChars && remove(text) !== text;
  return (text) => {
    let clean = replaceBase64(remove(text), (run, decoded) => (contains(decoded) ? removedText : run));
    let plain = clean;
    for (let level = 0; level < maxDecodings; level++) {
      const decoded = decodeOnce(plain);
      if (decoded === plain) break;
      plain = remove(decoded);
      if (plain !== decoded) clean = plain;
    }
    return clean;
  };
}

/** Returns the spellings, longest first: one of them may begin with another, and must be removed as a whole. */
function spellingsOf(id: string): string[] {
  const bytes = Buffer.from(id);
  const inJson = JSON.stringify(id).slice(1, -1);
  const inUrl = encodeURIComponent(id.toWellFormed());
  const spellings = [
    id,
    id.normalize('NFC'),
    id.normalize('NFD'),
    inJson,
    JSON.stringify(inJson).slice(1, -1),
    inUrl,
    encodeURIComponent(inUrl),
    inUrl.replaceAll('%20', '+'),
    encodeURI(id.toWellFormed()),
    id.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    ...(id.length < minIdChars
      ? []
      : [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url'), bytes.toString('hex')]),
  ];
  return [...new Set(spellings)].toSorted((one, other) => other.length - one.length);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
