/** A power of two. */
const places = 4_096;
const longestChars = 400;
const zero = 48;

/**
 * Answers that were worked out before, by text, for answers to which one digit is as good as another: a text that
 * differs from a known one in its digits alone has the same answer. One answer a place: a newer one takes it over.
 */
export class DigitsAside<Answer> {
  readonly #texts: (string | undefined)[] = Array.from({ length: places });
  readonly #answers: (Answer | undefined)[] = Array.from({ length: places });

  get(text: string): Answer | undefined {
    if (text.length > longestChars) return undefined;
    const place = placeOf(text);
    const known = this.#texts[place];
    return known !== undefined && isAlike(known, text) ? this.#answers[place] : undefined;
  }

  set(text: string, answer: Answer): void {
    if (text.length > longestChars) return;
    const place = placeOf(text);
    this.#texts[place] = text;
    this.#answers[place] = answer;
  }
}

function placeOf(text: string): number {
  let hash = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    hash = (Math.imul(hash, 31) + (isDigit(code) ? zero : code)) | 0;
  }
  return (hash ^ (hash >>> 15)) & (places - 1);
}

function isAlike(a: string, b: string): boolean {
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
