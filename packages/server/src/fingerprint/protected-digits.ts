import type { GroupedFrame } from './grouped-frame.ts';
import { stringsNear } from './source-line.ts';

/** Upper-case words in one: `ERR_1001_X`, `INVALID_SHA256_DIGEST`, `ERR-1001`. */
const constant = /(?<![\w-])[A-Z][A-Z\d]*(?:[_-][A-Z\d]+)+(?![\w-])/g;
/** What such a word may be: longer numbers, and letters mixed with them, are those of ids. */
const part = /^(?:[A-Z]+\d{0,3}|\d{1,4}[A-Z]*)$/;
/** A number may end a constant that says that it is a code, or if it belongs to a word. */
const codePrefix = /^(?:E|ERR|ERRNO|ERROR|CODE|FAULT|WARN)$/;
const lastPart = /^(?:[A-Z]+|[A-Z]{3,}\d{1,3})$/;

/** A word in which a digit follows a letter: not `30s`. */
const mixedWord = /(?<![\w-])(?=[\d_-]*[A-Za-z][A-Za-z_-]*\d)[\w-]+/g;
const maxWords = 20;

/** Where `0` stands among those that stand for digits: of these characters Unicode says that they mean nothing. */
const protectedZero = 0xe000;

/**
 * The text with other characters for the digits of constants, so that no pattern takes them for a value: a developer
 * wrote them, and `ERR_1001_X` and `ERR_1002_Y` are two errors.
 */
export function protectConstants(text: string): string {
  return text.replace(constant, (word) => (isConstant(word) ? protectDigits(word) : word));
}

function isConstant(word: string): boolean {
  const parts = word.split(/[_-]/);
  if (!parts.every((each) => part.test(each))) return false;
  return codePrefix.test(parts[0] ?? '') || (!word.includes('-') && lastPart.test(parts.at(-1) ?? ''));
}

/** The same of words that stand in the source near the frame or its callers, between quotes: `E1001: no cart`. */
export function protectWrittenWords(message: string, frames: readonly GroupedFrame[]): string {
  const words = new Set(message.match(mixedWord)?.slice(0, maxWords));
  if (words.size === 0) return message;
  const written = new Set(frames.flatMap((frame) => stringsNear(frame).match(mixedWord) ?? []));
  return message.replace(mixedWord, (word) => (words.has(word) && written.has(word) ? protectDigits(word) : word));
}

function protectDigits(word: string): string {
  return word.replace(/\d/g, (digit) => String.fromCharCode(protectedZero + Number(digit)));
}

/** The text with its digits again. */
export function restoreDigits(text: string): string {
  return text.replace(/[\ue000-\ue009]/g, (aside) => String(aside.charCodeAt(0) - protectedZero));
}
