/** A power of two. */
const tableSize = 256;

/**
 * A cache of frequent texts, such as names of releases, by their bytes (one per character). Saves creating most of them
 * again. If two texts share a cell, the later one stays.
 */
export class SharedTexts {
  readonly #texts = Array.from({ length: tableSize }, () => '');

  get(bytes: Buffer, start: number, end: number): string {
    let mark = end - start;
    for (let index = start; index < end; index++) mark = Math.imul(mark, 31) + (bytes[index] ?? 0);
    const place = (mark ^ (mark >>> 8)) & (tableSize - 1);
    const known = this.#texts[place] ?? '';
    return isText(known, bytes, start, end) ? known : (this.#texts[place] = bytes.toString('latin1', start, end));
  }
}

function isText(text: string, bytes: Buffer, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) !== bytes[start + index]) return false;
  }
  return true;
}
