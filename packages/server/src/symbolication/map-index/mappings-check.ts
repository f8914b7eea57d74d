import type { TextSink } from './json-scanner.ts';

const comma = -1;
const semicolon = -2;
const noDigit = -3;

/** The meaning of each byte: a base 64 digit, a separator, or not allowed. */
const meanings = new Int8Array(256).fill(noDigit);
for (const [index, digit] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  meanings[digit.charCodeAt(0)] = index;
meanings[0x2c] = comma;
meanings[0x3b] = semicolon;

const largest = 0xffff_ffff;
/** The maximum number of digits of a number, as in `source-map`. */
const maxMappingDigits = 13;
/** Up to this shift a number fits into an integer of 31 bits. */
const smallShift = 25;

/** The mappings are invalid. The message gives the reason as a sentence. */
export class MappingsError extends Error {
  override readonly name = 'MappingsError';
}

/** Receives the positions of mappings in their order. */
export interface PositionSink {
  /** All numbers count from 0. If `source` is -1, the minified file has no source from this position on. */
  position(line: number, column: number, source: number, originalLine: number, originalColumn: number): void;
  endPositions(): void;
}

/**
 * Validates mappings as they arrive, and keeps only the numbers that the next ones refer to. Rejects what `source-map`
 * rejects: other characters than base 64, incomplete numbers or segments, positions below zero or beyond 32 bits.
 */
export class MappingsCheck implements TextSink {
  /** The number of sources and names that these mappings require. */
  sources = 0;
  names = 0;
  segments = 0;
  readonly #sink: PositionSink | null;
  #line = 1;
  /** Generated column, source, original line, original column, name. */
  readonly #fields = [0, 0, 0, 0, 0];
  #field = 0;
  #number = 0;
  #shift = 0;

  constructor(sink: PositionSink | null = null) {
    this.#sink = sink;
  }

  feed(bytes: Uint8Array, from: number, to: number): void {
    let number = this.#number;
    let shift = this.#shift;
    for (let at = from; at < to; at++) {
      const digit = meanings[bytes[at] ?? 0] ?? noDigit;
      if (digit >= 0) {
        // Beyond 31 bits a shift would lose the upper bits.
        if (shift <= smallShift) number |= (digit & 31) << shift;
        else number = (number >>> 0) + (digit & 31) * 2 ** shift;
        if (digit & 32) {
          shift += 5;
          if (shift >= maxMappingDigits * 5) throw this.#wrong('a number that is too long');
        } else {
          this.#add(number);
          number = 0;
          shift = 0;
        }
      } else if (digit === noDigit) {
        throw this.#wrong('a character that is not base 64');
      } else {
        if (shift > 0) throw this.#wrong('an incomplete number');
        this.#endSegment();
        if (digit === semicolon) {
          this.#line++;
          this.#fields[0] = 0;
        }
      }
    }
    this.#number = number;
    this.#shift = shift;
  }

  finish(): void {
    if (this.#shift > 0) throw this.#wrong('an incomplete number');
    this.#endSegment();
    this.#sink?.endPositions();
  }

  /** The lowest bit is the sign. */
  #add(number: number): void {
    const field = this.#field;
    const size = number <= 0x7fff_ffff ? number >>> 1 : Math.floor(number / 2);
    const sum = (this.#fields[field] ?? 0) + (number % 2 === 0 ? size : -size);
    if (sum < 0 || sum > largest) throw this.#wrong('a position below zero or beyond 32 bits');
    this.#fields[field] = sum;
    if (field === 0) this.segments++;
    else if (field === 1) this.sources = Math.max(this.sources, sum + 1);
    else if (field === 4) this.names = Math.max(this.names, sum + 1);
    if (field === 4) this.#report(true);
    // `source-map` accepts another segment after a name without a comma.
    this.#field = field === 4 ? 0 : field + 1;
  }

  /** A segment has one number, four or five. */
  #endSegment(): void {
    if (this.#field === 2 || this.#field === 3) throw this.#wrong('an incomplete segment');
    if (this.#field > 0) this.#report(this.#field === 4);
    this.#field = 0;
  }

  #report(hasSource: boolean): void {
    const fields = this.#fields;
    const source = hasSource ? (fields[1] ?? 0) : -1;
    this.#sink?.position(this.#line - 1, fields[0] ?? 0, source, fields[2] ?? 0, fields[3] ?? 0);
  }

  #wrong(what: string): MappingsError {
    return new MappingsError(`Its mappings cannot be decoded: there is ${what} in line ${this.#line}.`);
  }
}
