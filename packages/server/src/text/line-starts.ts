const newline = 0x0a;
const carriageReturn = 0x0d;
/** The first byte of U+2028 and U+2029 in UTF-8. */
const separatorStart = 0xe2;

/**
 * The line ends of JavaScript. In source maps, TypeScript, esbuild, terser, Rolldown and Vite 8 count lines by them.
 * Rollup (magic-string) counts only `\n`: with its maps, a source is off by its lines that end in another way.
 */
const lineEnd = /\r\n|[\n\r\u2028\u2029]/g;

/**
 * Returns the index after the first line end at or after `from` in UTF-8, or -1 without one. Skips a line end that
 * the bytes contain only in part.
 */
export function nextLineStart(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === newline) return at + 1;
    if (byte === carriageReturn && at + 1 < bytes.length) return bytes[at + 1] === newline ? at + 2 : at + 1;
    if (byte === separatorStart && bytes[at + 1] === 0x80 && (bytes[at + 2] === 0xa8 || bytes[at + 2] === 0xa9))
      return at + 3;
  }
  return -1;
}

/** Works like `nextLineStart` in a text. Returns Infinity without a line end. */
export function nextLineStartOf(text: string, from: number): number {
  lineEnd.lastIndex = from;
  return lineEnd.test(text) ? lineEnd.lastIndex : Infinity;
}

/** Returns a line without its line end. */
export function withoutLineEnd(line: string): string {
  return line.replace(/(?:\r?\n|[\r\u2028\u2029])$/, '');
}
