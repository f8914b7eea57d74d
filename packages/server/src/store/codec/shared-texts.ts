/** Number of entries. Must be a power of two. */
const tableSize = 256;

/**
 * A cache of texts that repeat often, such as the names of releases. It finds a text by its Latin-1 bytes, so most
 * texts are not decoded again. If two texts have the same index, the later one replaces the earlier one.
 */
export class SharedTexts {
  readonly #texts = Array.from({ length: tableSize }, () => '');

  get(bytes: Buffer, start: number, end: number): string {
    let hash = end - start;
    for (let at = start; at < end; at++) hash = Math.imul(hash, 31) + (bytes[at] ?? 0);
    const index = (hash ^ (hash >>> 8)) & (tableSize - 1);
    const known = this.#texts[index] ?? '';
    return isText(known, bytes, start, end) ? known : (this.#texts[index] = bytes.toString('latin1', start, end));
  }
}

function isText(text: string, bytes: Buffer, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) !== bytes[start + index]) return false;
  }
  return true;
}
