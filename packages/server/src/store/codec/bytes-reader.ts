import type { HexWords } from '../records/entry.ts';
import { readHexBytes } from './hex-words.ts';
import { SharedTexts } from './shared-texts.ts';

const sharedTexts = new SharedTexts();

/** Reads what `BytesWriter` wrote, in the same order. */
export class BytesReader {
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #end = 0;
  /** All of it, a character a byte: a part of that costs far less than a call for each text. */
  #latin: string | null = null;
  #start = 0;
  #texts: string[] = [];
  readonly #isFlat: boolean;

  /** `isFlat`: no text is a part of a longer one, which would stay in memory as long as it. */
  constructor(isFlat = false) {
    this.#isFlat = isFlat;
  }

  /** Begins to read a part of some bytes. */
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

  /** A text that is no reference and that many others have too. Not for what reads on, as with `skipText`. */
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

  /** A text of 32 hexadecimal digits, as words; null for any other. Not for what reads on, as with `skipText`. */
  hexWords(): HexWords | null {
    const form = this.uint() - 1;
    if (form < 0) return null;
    const start = this.#at;
    this.#at += (form >>> 2) * ((form & 3) === 1 ? 2 : 1);
    return (form & 3) === 0 ? readHexBytes(this.#bytes, start, this.#at) : null;
  }

  /** Whether this is what comes next. */
  isNext(bytes: Uint8Array): boolean {
    for (let index = 0; index < bytes.length; index++) if (this.#bytes[this.#at + index] !== bytes[index]) return false;
    return true;
  }

  /** Goes past a text. Not for what reads on: a later text may refer to this one. */
  skipText(): void {
    const form = this.uint() - 1;
    if (form < 0 || (form & 3) === 2) return;
    this.#at += (form >>> 2) * ((form & 3) === 1 ? 2 : 1);
  }

  #part(start: number, end: number): string {
    this.#latin ??= this.#bytes.toString('latin1', this.#start, this.#end);
    return this.#latin.slice(start - this.#start, end - this.#start);
  }

  /** A word of 32 bits with its sign. */
  word(): number {
    this.#at += 4;
    return this.#bytes.readInt32LE(this.#at - 4);
  }

  /** Reads a whole number of this many bytes. */
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
