import type { GroupedFrame } from './grouped-frame.ts';
import { stringsNear } from './source-line.ts';

/** Several upper-case words joined: `ERR_1001_X`, `INVALID_SHA256_DIGEST`, `ERR-1001`. */
const constant = /(?<![\w-])[A-Z][A-Z\d]*(?:[_-][A-Z\d]+)+(?![\w-])/g;
/**
 * A word of a constant: letters and then up to three digits, or up to four digits and then letters. Longer numbers, and
 * words that switch between letters and digits more than once, belong to ids.
 */
const part = /^(?:[A-Z]+\d{0,3}|\d{1,4}[A-Z]*)$/;
/** A constant may end with a number if a prefix marks it as a code, or if the number belongs to a word. */
const codePrefix = /^(?:E|ERR|ERRNO|ERROR|CODE|FAULT|WARN)$/;
const lastPart = /^(?:[A-Z]+|[A-Z]{3,}\d{1,3})$/;

/** A word with a digit after a letter. `30s` does not match. */
const mixedWord = /(?<![\w-])(?=[\d_-]*[A-Za-z][A-Za-z_-]*\d)[\w-]+/g;
const maxWords = 20;

/** The private-use character that replaces `0`. The next nine replace `1` to `9`. Unicode gives them no meaning. */
const protectedZero = 0xe000;

/**
 * Replaces the digits of constants, so that no pattern treats them as a value. A developer wrote them: `ERR_1001_X` and
 * `ERR_1002_Y` are two errors.
 */
export function protectConstants(text: string): string {
  return text.replace(constant, (word) => (isConstant(word) ? protectDigits(word) : word));
}

function isConstant(word: string): boolean {
  const parts = word.split(/[_-]/);
  if (!parts.every((each) => part.test(each))) return false;
  return codePrefix.test(parts[0] ?? '') || (!word.includes('-') && lastPart.test(parts.at(-1) ?? ''));
}

/** Replaces the digits of words that are quoted in the source near one of the frames: `E1001: no cart`. */
export function protectWrittenWords(message: string, frames: readonly GroupedFrame[]): string {
  if (frames.every(({ context }) => context.length === 0)) return message;
  const words = new Set(message.match(mixedWord)?.slice(0, maxWords));
  if (words.size === 0) return message;
  const written = new Set(frames.flatMap((frame) => stringsNear(frame).match(mixedWord) ?? []));
  return message.replace(mixedWord, (word) => (words.has(word) && written.has(word) ? protectDigits(word) : word));
}

/** Replaces digits by characters that no pattern treats as a value. */
export function protectDigits(word: string): string {
  return word.replace(/\d/g, (digit) => String.fromCharCode(protectedZero + Number(digit)));
}

/** Restores the digits that `protectDigits` replaced. */
export function restoreDigits(text: string): string {
  return text.replace(/[\ue000-\ue009]/g, (aside) => String(aside.charCodeAt(0) - protectedZero));
}
