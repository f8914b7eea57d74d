import type { HexWords } from '../records/entry.ts';
import { readHexBytes } from './hex-words.ts';
import { SharedTexts } from './shared-texts.ts';

const sharedTexts = new SharedTexts();

/** Reads the values that `BytesWriter` wrote, in the same order. */
export class BytesReader {
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #end = 0;
  /** All bytes as Latin-1. A slice of it costs far less than decoding each text. */
  #latin: string | null = null;
  #start = 0;
  #texts: string[] = [];
  readonly #isFlat: boolean;

  /** `isFlat`: texts are decoded one by one. A text that is a slice of a longer one keeps the longer one in memory. */
  constructor(isFlat = false) {
    this.#isFlat = isFlat;
  }

  /** Starts to read the bytes from `start` to `end`. */
  open(bytes: Buffer, start: number, end: number): void {
    this.#bytes = bytes;
    this.#start = start;
    this.#at = start;
    this.#end = end;
    this.#latin = null;
    if (this.#texts.length > 0) this.#texts = [];
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  get end(): number {
    return this.#end;
  }

  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#end;
  }

  uint(): number {
    const first = this.#bytes[this.#at++] ?? 0;
    if (first < 0x80) return first;
    let value = first & 0x7f;
    for (let scale = 0x80; ; scale *= 0x80) {
      const byte = this.#bytes[this.#at++] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  int(): number {
    const value = this.uint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  text(): string | null {
    const form = this.uint() - 1;
    if (form < 0) return null;
    const length = form >>> 2;
    if ((form & 3) === 2) return this.#texts[length] ?? null;
    const start = this.#at;
    let value: string;
    if ((form & 3) === 1) {
      this.#at += length * 2;
      value = this.#bytes.toString('utf16le', start, this.#at);
    } else {
      this.#at += length;
      value = this.#isFlat ? this.#bytes.toString('latin1', start, this.#at) : this.#part(start, this.#at);
    }
    this.#texts.push(value);
    return value;
  }

  /**
   * Reads a text that is not a reference and that is likely to repeat. Later references are invalid, as with
   * `skipText`.
   */
  sharedText(): string | null {
    const form = this.uint() - 1;
    if (form < 0) return null;
    const start = this.#at;
    const length = form >>> 2;
    if ((form & 3) === 1) {
      this.#at += length * 2;
      return this.#bytes.toString('utf16le', start, this.#at);
    }
    this.#at += length;
    return sharedTexts.get(this.#bytes, start, this.#at);
  }

  /**
   * Reads a text of 32 hexadecimal digits as words. Returns null for any other text. Later references are invalid, as
   * with `skipText`.
   */
  hexWords(): HexWords | null {
    const form = this.uint() - 1;
    if (form < 0) return null;
    const start = this.#at;
    this.#at += (form >>> 2) * ((form & 3) === 1 ? 2 : 1);
    return (form & 3) === 0 ? readHexBytes(this.#bytes, start, this.#at) : null;
  }

  /** Returns whether the next bytes equal these. Does not advance. */
  isNext(bytes: Uint8Array): boolean {
    for (let index = 0; index < bytes.length; index++) if (this.#bytes[this.#at + index] !== bytes[index]) return false;
    return true;
  }

  /** Skips a text. Later texts must not be read with `text`, because they may refer to this one. */
  skipText(): void {
    const form = this.uint() - 1;
    if (form < 0 || (form & 3) === 2) return;
    this.#at += (form >>> 2) * ((form & 3) === 1 ? 2 : 1);
  }

  #part(start: number, end: number): string {
    this.#latin ??= this.#bytes.toString('latin1', this.#start, this.#end);
    return this.#latin.slice(start - this.#start, end - this.#start);
  }

  /** Reads a signed 32-bit word. */
  word(): number {
    this.#at += 4;
    return this.#bytes.readInt32LE(this.#at - 4);
  }

  /** Reads an unsigned integer of this many bytes. */
  fixed(bytes: number): number {
    this.#at += bytes;
    return this.#bytes.readUIntLE(this.#at - bytes, bytes);
  }

  skip(length: number): void {
    this.#at += length;
  }

  raw(length: number): Uint8Array {
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}
