import { decodeOnce, replaceBase64 } from '../scrub/encoded.ts';
import { removedText } from '../scrub/removed-text.ts';

/** A shorter id could be anything else: it is only taken out where it is named, or stands behind such a folder. */
const idChars = 5;
const mostLevels = 3;
/** What pages write for somebody whom they do not know. */
const nobody = new Set([
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
 * Takes out of texts who it was, in whatever spelling: encoded for a URL, as a string of JSON, as HTML, in base64. To be
 * called before anything is cut, for half an id does not look like one.
 */
export function userRemover(id: string): (text: string) => string {
  if (id.trim() === '' || nobody.has(id.trim().toLowerCase())) return (text) => text;
  const spellings = Array.from(spellingsOf(id), escaped).join('|');
  const isNumber = /^\d+$/.test(id);
  // `admin` and `error` are names of many things: of a longer one they would be a part by chance, as of a number.
  const isWord = /^[A-Za-z]+$/.test(id);
  const alone = isNumber ? `(?<!\\d)(?:${spellings})(?!\\d)` : isWord ? `\\b(?:${spellings})\\b` : `(?:${spellings})`;
  const pattern = new RegExp(id.length < idChars ? `${named}(?:${spellings})(?![\\w-])` : alone, 'gi');
  const remove = (text: string): string => text.replace(pattern, removedText);
  const says = (text: string): boolean => id.length >= idChars && remove(text) !== text;
  return (text) => {
    let clean = replaceBase64(remove(text), (run, decoded) => (says(decoded) ? removedText : run));
    let plain = clean;
    for (let level = 0; level < mostLevels; level++) {
      const decoded = decodeOnce(plain);
      if (decoded === plain) break;
      plain = remove(decoded);
      if (plain !== decoded) clean = plain;
    }
    return clean;
  };
}

/** The longest first, so that nothing is left of one that begins with another. */
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
    ...(id.length < idChars
      ? []
      : [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url'), bytes.toString('hex')]),
  ];
  return [...new Set(spellings)].toSorted((one, other) => other.length - one.length);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
