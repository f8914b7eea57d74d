/** A power of two. */
const slots = 4_096;
const maxCachedChars = 400;
const zero = 48;

/**
 * Caches results by text, for functions that treat all digits alike: two texts that differ only in their digits share a
 * result. Each slot holds one result; a newer one replaces it.
 */
export class DigitNormalizingCache<Result> {
  readonly #texts: (string | undefined)[] = Array.from({ length: slots });
  readonly #results: (Result | undefined)[] = Array.from({ length: slots });

  get(text: string): Result | undefined {
    if (text.length > maxCachedChars) return undefined;
    const slot = slotOf(text);
    const known = this.#texts[slot];
    return known !== undefined && isEqualButForDigits(known, text) ? this.#results[slot] : undefined;
  }

  set(text: string, result: Result): void {
    if (text.length > maxCachedChars) return;
    const slot = slotOf(text);
    this.#texts[slot] = text;
    this.#results[slot] = result;
  }
}

function slotOf(text: string): number {
  let hash = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    hash = (Math.imul(hash, 31) + (isDigit(code) ? zero : code)) | 0;
  }
  return (hash ^ (hash >>> 15)) & (slots - 1);
}

function isEqualButForDigits(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) {
    const code = a.charCodeAt(index);
    const other = b.charCodeAt(index);
    if (code !== other && !(isDigit(code) && isDigit(other))) return false;
  }
  return true;
}

function isDigit(code: number): boolean {
  return code >= zero && code < zero + 10;
}
