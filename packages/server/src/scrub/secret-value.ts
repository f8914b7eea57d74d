import { removedText } from './removed-text.ts';

/** The context of a value, which determines where it ends. */
export interface ValueContext {
  /** A query: `&` before another parameter, white space, quotes, `<`, `>` and closing brackets end the value. */
  isQuery: boolean;
  /** A header: the value is the rest of the line, or of the string that the header is in. */
  isHeader: boolean;
}

/** Values that are never secret but help to find the bug: `token=undefined`. */
const emptyValue =
  /(?:null|undefined|nil|none|nan|true|false)(?=[\s,;&)\]}"'`\\<]|$)|(["'`])(?:null|undefined|include|omit|same-origin)?\1(?=[\s,;&)\]}<]|$)/iy;
const emptyHeader = /(?:(?:Bearer|Basic) )?(?:null|undefined|none|false)(?=[ ]{0,4}(?:[\n,}\])"'`]|$))/iy;
/** The start of a sentence about a value instead of a value: `token: expected a string`. */
const sentence =
  /(?:expected|must|should|is|was|required|needs?|missing|invalid|incorrect|wrong|failed|unknown|unsupported|request|cannot|can't|(?:does|did) not)[ ]{1,4}[a-z\d]|in JSON /y;
/** `<b>Password:</b> x`: the tag is not part of the value. */
const tag = /<\/[a-z]\w{0,10}>|<(?:br|td|dd|b|i|em|span|code|strong|div|p)\b[^<>]{0,200}>/iy;
const quotePattern = /\\{0,15}["'`]|&(?:quot|apos|#0?3[49]|#x2[27]);|\\{1,7}u002[27]|\\{1,7}x2[27]|%2[27]/iy;
/** `b"bytes"`, `@"text"` */
const quotePrefix = /[bfru@$]{1,2}(?=["'])/iy;
/** Text after a separator that shows that the separator ends the value. */
const nextName = /[\w.%[\]-]{1,40}\s{0,2}(?:[=:]|%3[AD])/iy;
const nextParameter = /(?:amp;)?[\w.%[\]-]{1,64}=/y;
/**
 * The closing bracket is searched within this many characters, unless the brackets begin JSON or similar text. Such
 * text may be truncated, so it may end anywhere.
 */
const maxBracketChars = 100;
const structured = /[[{(]\s*(?:\\*["'`]|[[{\d]|&quot;|[\w-]+\s*[:=])/y;

function at(pattern: RegExp, text: string, index: number): string | null {
  pattern.lastIndex = index;
  return pattern.exec(text)?.[0] ?? null;
}

/** Returns the end of the value that begins at `start`, or `start` if it needs no removal. */
export function endOfValue(text: string, start: number, { isQuery, isHeader }: ValueContext): number {
  if (at(isHeader ? emptyHeader : emptyValue, text, start) !== null) return start;
  if (!isQuery && !isHeader && at(sentence, text, start) !== null) return start;
  if (at(tag, text, start) !== null) return start;
  if (isHeader && text.startsWith(removedText, start)) return endOfHeader(text, start);
  const prefix = at(quotePrefix, text, start) ?? '';
  const delimiter = at(quotePattern, text, start + prefix.length);
  if (delimiter !== null) return endOfString(text, start + prefix.length + delimiter.length, delimiter);
  if (/[[{(]/.test(text.charAt(start))) return endOfRest(text, endOfBrackets(text, start));
  if (isQuery) return endOfWord(text, start, endsParameter);
  return isHeader ? endOfHeader(text, start) : endOfWord(text, start, endsWord);
}

/** Returns the end of a word that directly follows a string or brackets. */
function endOfRest(text: string, index: number): number {
  return /\w/.test(text.charAt(index)) ? endOfWord(text, index, endsWord) : index;
}

/**
 * Returns the end of a string: its closing quote, or else the end of its line, or of the text after a backtick. Within
 * JSON strings a closing quote has the same number of backslashes as the opening one, and a quote inside has more: for
 * `\"` one, then three and so on.
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

/**
 * Returns the end of the matching bracket. Without one, JSON includes the rest of the text, because it may be
 * truncated, and anything else only the bracket.
 */
function endOfBrackets(text: string, start: number): number {
  const isStructured = at(structured, text, start) !== null;
  const end = isStructured ? text.length : Math.min(text.length, start + maxBracketChars);
  let depth = 0;
  for (let index = start; index < end; index++) {
    const char = text.charAt(index);
    if (/[[{(]/.test(char)) depth++;
    else if (/[\]})]/.test(char)) {
      if (--depth === 0) return index + 1;
    } else if (/["'`\\&]/.test(char) && /[[{(,:=\s]/.test(text.charAt(index - 1))) {
      const delimiter = at(quotePattern, text, index);
      if (delimiter !== null) index = endOfString(text, index + delimiter.length, delimiter) - 1;
    }
  }
  return isStructured ? text.length : start + 1;
}

/** Returns the end of the line, or of the surrounding quotes. Quotes as in `a="1"; b="2"` do not end the value. */
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
      return at(nextParameter, text, index + 1) !== null || at(quotePattern, text, index) !== null;
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
      at(quotePattern, text, index) !== null
    );
  return endsQuoted(text, index) || closes(text, index);
}

/** Returns whether the surrounding string ends here. `it's` is one word. */
function endsQuoted(text: string, index: number): boolean {
  const char = text.charAt(index);
  if (char === "'") return !/\w/.test(text.charAt(index + 1));
  return char === '"' || char === '`' || (char === '\\' && at(quotePattern, text, index) !== null);
}

/** Returns whether a bracket closes that was opened before the value. */
function closes(text: string, index: number): boolean {
  return /[)\]}]/.test(text.charAt(index)) && !/\w/.test(text.charAt(index + 1));
}
