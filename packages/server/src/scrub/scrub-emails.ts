import { removedText } from './removed-text.ts';

/*
 * E-mail addresses are found by their `@`, which is rare. A pattern that began with the part before the `@` would match
 * nearly any text, and scan it again from each of its characters.
 */

const maxLocalChars = 64;

const emails: [domain: RegExp, local: RegExp][] = [
  [/(?:@|%40)(?!\d+\.\d)(?:localhost|(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24})(?!\p{L})/giu, /[\p{L}\p{N}._%+'-]/u],
  // `ada (at) shop (dot) example`
  [/\s?[[(](?:at|@)[\])]\s?[\w-]{1,63}(?:\s?(?:\.|[[(](?:dot|\.)[\])])\s?[\w-]{2,24}){1,4}/gi, /[\w.+-]/],
  // An address that was truncated.
  [/@[\p{L}\p{N}.-]{0,253}(?=…\[truncated\])/gu, /[\p{L}\p{N}._%+'-]/u],
];

/** Removes e-mail addresses from a text. */
export function scrubEmails(text: string): string {
  let clean = text;
  for (const [domain, local] of emails) clean = removeEmails(clean, domain, local);
  return clean;
}

function removeEmails(text: string, domain: RegExp, local: RegExp): string {
  let clean = '';
  let from = 0;
  for (const { 0: match, index } of text.matchAll(domain)) {
    const start = startOfLocal(text, from, index, local);
    if (start === index) continue;
    clean += text.slice(from, start) + removedText;
    from = index + match.length;
  }
  return from === 0 ? text : clean + text.slice(from);
}

function startOfLocal(text: string, from: number, end: number, local: RegExp): number {
  let start = end;
  for (let length = 0; length < maxLocalChars && start > from; length++) {
    // A character outside of the basic plane is two UTF-16 units.
    const width = /[\udc00-\udfff]/.test(text.charAt(start - 1)) ? 2 : 1;
    if (!local.test(text.slice(start - width, start))) break;
    start -= width;
  }
  return start;
}
