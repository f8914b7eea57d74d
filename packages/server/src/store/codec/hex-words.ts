import type { HexWords } from '../records/entry.ts';

/** The number of different words of 32 bits. */
export const twoTo32 = 2 ** 32;

/*
 * Fingerprints and UUIDs are 32 hexadecimal digits. Tables store them as four 32-bit words; elsewhere they are text.
 */

const digitValues = new Int8Array(128).fill(-1);
for (let value = 0; value < 16; value++) digitValues[value.toString(16).charCodeAt(0)] = value;

/** Reads 32 lower-case digits, with or without dashes, into `words`. Returns false for any other text. */
export function readHexWords(text: string, words: Int32Array): boolean {
  let digits = 0;
  let word = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x2d) continue;
    const value = code < 128 ? (digitValues[code] ?? -1) : -1;
    if (value < 0 || digits === 32) return false;
    word = (word << 4) | value;
    digits++;
    if ((digits & 7) === 0) words[(digits >> 3) - 1] = word;
  }
  return digits === 32;
}

const scratch = new Int32Array(4);

/** Reads 32 lower-case digits, with or without dashes, from Latin-1 bytes. Returns null for any other text. */
export function readHexBytes(bytes: Uint8Array, start: number, end: number): HexWords | null {
  let digits = 0;
  let word = 0;
  for (let index = start; index < end; index++) {
    const code = bytes[index] ?? 0;
    if (code === 0x2d) continue;
    const value = code < 128 ? (digitValues[code] ?? -1) : -1;
    if (value < 0 || digits === 32) return null;
    word = (word << 4) | value;
    digits++;
    if ((digits & 7) === 0) scratch[(digits >> 3) - 1] = word;
  }
  return digits === 32 ? hexWords(scratch) : null;
}

export function hexWords(words: Int32Array): HexWords {
  return [words[0] ?? 0, words[1] ?? 0, words[2] ?? 0, words[3] ?? 0];
}

/** Formats four words as 32 digits. */
export function hexOf(a: number, b: number, c: number, d: number): string {
  return hexOfWord(a) + hexOfWord(b) + hexOfWord(c) + hexOfWord(d);
}

const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function hexOfWord(word: number): string {
  return (
    (hexOfByte[word >>> 24] ?? '') +
    (hexOfByte[(word >>> 16) & 0xff] ?? '') +
    (hexOfByte[(word >>> 8) & 0xff] ?? '') +
    (hexOfByte[word & 0xff] ?? '')
  );
}
