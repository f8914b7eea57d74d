/** Only the first texts are remembered: a later equal text becomes a reference to one of them. */
const maxRememberedTexts = 24;

/**
 * Writes numbers and texts compactly, as far as that stays fast. Numbers take seven bits per byte. Texts take one byte
 * per character where possible, and a repeated text becomes a reference. `BytesReader` reads the result.
 */
export class BytesWriter {
  bytes = Buffer.allocUnsafeSlow(16 * 1024);
  size = 0;
  readonly #texts: string[] = [];

  /** Discards everything written. The next write overwrites `bytes`. */
  clear(): void {
    this.size = 0;
    this.#texts.length = 0;
  }

  /** Makes later texts independent of earlier ones: no reference points back past this call. */
  forgetTexts(): void {
    this.#texts.length = 0;
  }

  /** Writes an integer from 0 to 2^53 - 1. */
  uint(value: number): void {
    if (this.size + 8 > this.bytes.length) this.#grow(8);
    let rest = value;
    while (rest >= 0x80) {
      this.bytes[this.size++] = (rest & 0x7f) | 0x80;
      rest = rest < 0x80000000 ? rest >>> 7 : Math.floor(rest / 0x80);
    }
    this.bytes[this.size++] = rest;
  }

  /** Writes any integer. Integers near 0 are short. */
  int(value: number): void {
    this.uint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  text(value: string | null): void {
    if (value === null) {
      this.uint(0);
      return;
    }
    const known = this.#find(value);
    if (known < 0) this.plainText(value);
    else this.uint(((known << 2) | 2) + 1);
  }

  /** Writes a text without a reference, so that it can be read without the texts before it. */
  plainText(value: string): void {
    if (this.#texts.length < maxRememberedTexts) this.#texts.push(value);
    const { length } = value;
    const start = this.size;
    this.uint((length << 2) + 1);
    if (this.size + length > this.bytes.length) this.#grow(length);
    const { bytes, size } = this;
    for (let index = 0; index < length; index++) {
      const code = value.charCodeAt(index);
      if (code > 0xff) {
        this.size = start;
        this.#wideText(value);
        return;
      }
      bytes[size + index] = code;
    }
    this.size = size + length;
  }

  /** Finds an earlier text. Several times as fast as `lastIndexOf`. */
  #find(value: string): number {
    const texts = this.#texts;
    for (let index = texts.length - 1; index >= 0; index--) {
      const text = texts[index];
      if (text?.length === value.length && text === value) return index;
    }
    return -1;
  }

  /** Writes an unsigned integer in this many bytes. */
  fixed(value: number, bytes: number): void {
    if (this.size + bytes > this.bytes.length) this.#grow(bytes);
    let rest = value;
    for (let index = 0; index < bytes; index++) {
      this.bytes[this.size++] = rest & 0xff;
      rest = rest < 0x80000000 ? rest >>> 8 : Math.floor(rest / 0x100);
    }
  }

  raw(bytes: Uint8Array, start = 0, end = bytes.length): void {
    const length = end - start;
    if (this.size + length > this.bytes.length) this.#grow(length);
    this.bytes.set(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end), this.size);
    this.size += length;
  }

  #wideText(value: string): void {
    this.uint(((value.length << 2) | 1) + 1);
    if (this.size + value.length * 2 > this.bytes.length) this.#grow(value.length * 2);
    // Raw UTF-16: a lone surrogate cannot be represented in UTF-8.
    this.size += this.bytes.write(value, this.size, 'utf16le');
  }

  #grow(more: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, this.size + more));
    this.bytes.copy(grown, 0, 0, this.size);
    this.bytes = grown;
  }
}
