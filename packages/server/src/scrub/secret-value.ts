import { removedText } from './removed-text.ts';

/** How the place of a value in its text says where it ends. */
export interface ValuePlace {
  /** In a query only `&` and what can't stand in a URL end it. */
  isQuery: boolean;
  /** A header is all of its line. */
  isHeader: boolean;
}

/** What is no secret under any name, but tells what is wrong: `token=undefined`. */
const nothing =
  /(?:null|undefined|nil|none|nan|true|false)(?=[\s,;&)\]}"'`\\<]|$)|(["'`])(?:null|undefined|include|omit|same-origin)?\1(?=[\s,;&)\]}<]|$)/iy;
const noHeader = /(?:(?:Bearer|Basic) )?(?:null|undefined|none|false)(?=[ ]{0,4}(?:[\n,}\])"'`]|$))/iy;
/** The beginning of a sentence that tells of a value, and is none: `token: expected a string`. */
const sentence =
  /(?:expected|must|should|is|was|required|needs?|missing|invalid|incorrect|wrong|failed|unknown|unsupported|request|cannot|can't|(?:does|did) not)[ ]{1,4}[a-z\d]|in JSON /y;
/** `<b>Password:</b> x`: what is in the tag is not the value. */
const tag = /<\/[a-z]\w{0,10}>|<(?:br|td|dd|b|i|em|span|code|strong|div|p)\b[^<>]{0,200}>/iy;
const quote = /\\{0,15}["'`]|&(?:quot|apos|#0?3[49]|#x2[27]);|\\{1,7}u002[27]|\\{1,7}x2[27]|%2[27]/iy;
/** `b"bytes"`, `@"text"` */
const quotePrefix = /[bfru@$]{1,2}(?=["'])/iy;
/** What may follow on a sign that divides values, if it does divide them. */
const nextName = /[\w.%[\]-]{1,40}\s{0,2}(?:[=:]|%3[AD])/iy;
const nextParameter = /(?:amp;)?[\w.%[\]-]{1,64}=/y;
/** Of JSON and the like, whatever is cut off behind it. The end of another bracket is not looked for further than this. */
const mostUnfilled = 100;
const filled = /[[{(]\s*(?:\\*["'`]|[[{\d]|&quot;|[\w-]+\s*[:=])/y;

function at(pattern: RegExp, text: string, index: number): string | null {
  pattern.lastIndex = index;
  return pattern.exec(text)?.[0] ?? null;
}

/** Where the value that begins at `start` ends; `start` itself if nothing there is to be hidden. */
export function endOfValue(text: string, start: number, { isQuery, isHeader }: ValuePlace): number {
  if (at(isHeader ? noHeader : nothing, text, start) !== null) return start;
  if (!isQuery && !isHeader && at(sentence, text, start) !== null) return start;
  if (at(tag, text, start) !== null) return start;
  if (isHeader && text.startsWith(removedText, start)) return endOfHeader(text, start);
  const prefix = at(quotePrefix, text, start) ?? '';
  const delimiter = at(quote, text, start + prefix.length);
  if (delimiter !== null) return endOfString(text, start + prefix.length + delimiter.length, delimiter);
  if (/[[{(]/.test(text.charAt(start))) return endOfRest(text, endOfBrackets(text, start));
  if (isQuery) return endOfWord(text, start, endsParameter);
  return isHeader ? endOfHeader(text, start) : endOfWord(text, start, endsWord);
}

/** After a string or brackets, what is joined to them without a gap. Else nothing is. */
function endOfRest(text: string, index: number): number {
  return /\w/.test(text.charAt(index)) ? endOfWord(text, index, endsWord) : index;
}

/**
 * A string ends with what it began with; else with its line. Within texts of JSON a quote has so many backslashes as the
 * one that opened the string, more if it is a part of it: `\"` by one, three and so on.
 */
function endOfString(text: string, start: number, delimiter: string): number {
  const sign = delimiter.at(-1) ?? '';
  const isPlain = /["'`]/.test(sign);
  const opened = delimiter.length - 1;
  let backslashes = 0;
  for (let index = start; index < text.length; index++) {
    const char = text.charAt(index);
    if (char === '\n' && sign !== '`') return index;
    if (isPlain && char === sign && backslashes % (2 * (opened + 1)) === opened) return index + 1;
    if (!isPlain && text.startsWith(delimiter, index)) return index + delimiter.length;
    backslashes = char === '\\' ? backslashes + 1 : 0;
  }
  return text.length;
}

/** To the bracket that closes this one. Where none does, the text may have been cut off, and all the rest belongs to it. */
function endOfBrackets(text: string, start: number): number {
  const isFilled = at(filled, text, start) !== null;
  const end = isFilled ? text.length : Math.min(text.length, start + mostUnfilled);
  let depth = 0;
  for (let index = start; index < end; index++) {
    const char = text.charAt(index);
    if (/[[{(]/.test(char)) depth++;
    else if (/[\]})]/.test(char)) {
      if (--depth === 0) return index + 1;
    } else if (/["'`\\&]/.test(char) && /[[{(,:=\s]/.test(text.charAt(index - 1))) {
      const delimiter = at(quote, text, index);
      if (delimiter !== null) index = endOfString(text, index + delimiter.length, delimiter) - 1;
    }
  }
  return isFilled ? text.length : start + 1;
}

/** To the end of its line, or to the quote that it stands in, other than those in `a="1"; b="2"`. */
function endOfHeader(text: string, start: number): number {
  for (let index = start; index < text.length; index++) {
    const char = text.charAt(index);
    if (char === '\n') return index;
    if (!/["'`]/.test(char)) continue;
    if (/[=\s]/.test(text.charAt(index - 1)) && index > start) index = endOfString(text, index + 1, char) - 1;
    else if (!/\w/.test(text.charAt(index + 1))) return index;
  }
  return text.length;
}

function endOfWord(text: string, start: number, ends: (text: string, index: number) => boolean): number {
  let index = start;
  while (index < text.length && !/\s/.test(text.charAt(index)) && !ends(text, index)) index++;
  return index;
}

function endsParameter(text: string, index: number): boolean {
  switch (text.charAt(index)) {
    case '&':
      return at(nextParameter, text, index + 1) !== null || at(quote, text, index) !== null;
    case '<':
    case '>':
      return true;
    default:
      return endsQuoted(text, index) || closes(text, index);
  }
}

function endsWord(text: string, index: number): boolean {
  const char = text.charAt(index);
  if (/[,;&]/.test(char))
    return (
      !/[^\s"'`,;&)\]}]/.test(text.charAt(index + 1)) ||
      at(nextName, text, index + 1) !== null ||
      at(quote, text, index) !== null
    );
  return endsQuoted(text, index) || closes(text, index);
}

/** At the end of the string that it stands in. `it's` is one word. */
function endsQuoted(text: string, index: number): boolean {
  const char = text.charAt(index);
  if (char === "'") return !/\w/.test(text.charAt(index + 1));
  return char === '"' || char === '`' || (char === '\\' && at(quote, text, index) !== null);
}

/** At a bracket that was opened before it. */
function closes(text: string, index: number): boolean {
  return /[)\]}]/.test(text.charAt(index)) && !/\w/.test(text.charAt(index + 1));
}
