import type { TextSink } from './json-scanner.ts';

const comma = -1;
const semicolon = -2;
const noDigit = -3;

/** What each byte says: a base 64 digit, a separator, or nothing that is allowed. */
const meanings = new Int8Array(256).fill(noDigit);
for (const [index, digit] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  meanings[digit.charCodeAt(0)] = index;
meanings[0x2c] = comma;
meanings[0x3b] = semicolon;

const largest = 0xffff_ffff;
/** A number has at most so many digits, as `source-map` reads it. */
const maxDigits = 13;
/** Up to here a number fits into an integer of 31 bits. */
const smallShift = 25;

/** What is wrong with mappings, as a sentence. */
export class MappingsError extends Error {
  override readonly name = 'MappingsError';
}

/** Who is told the positions of mappings, in the order in which they stand there. */
export interface PositionSink {
  /** All from 0; a `source` of -1: what stands in the minified file from here on is of no source. */
  position(line: number, column: number, source: number, originalLine: number, originalColumn: number): void;
  endPositions(): void;
}

/**
 * Reads mappings as they come, and keeps nothing but the numbers that the next ones count on. Refuses what `source-map`
 * refuses: what is no base 64, a number or a segment that breaks off, positions below zero or past 32 bits.
 */
export class MappingsCheck implements TextSink {
  /** How many sources and names there must be for these mappings. */
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
        // Beyond 31 bits not by shifting, which would lose the upper ones.
        if (shift <= smallShift) number |= (digit & 31) << shift;
        else number = (number >>> 0) + (digit & 31) * 2 ** shift;
        if (digit & 32) {
          shift += 5;
          if (shift >= maxDigits * 5) throw this.#wrong('a number without end');
        } else {
          this.#add(number);
          number = 0;
          shift = 0;
        }
      } else if (digit === noDigit) {
        throw this.#wrong('a character that is no base 64');
      } else {
        if (shift > 0) throw this.#wrong('a number that breaks off');
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
    if (this.#shift > 0) throw this.#wrong('a number that breaks off');
    this.#endSegment();
    this.#sink?.endPositions();
  }

  /** The lowest bit is the sign. */
  #add(number: number): void {
    const field = this.#field;
    const size = number <= 0x7fff_ffff ? number >>> 1 : Math.floor(number / 2);
    const sum = (this.#fields[field] ?? 0) + (number % 2 === 0 ? size : -size);
    if (sum < 0 || sum > largest) throw this.#wrong('a position below zero or past 32 bits');
    this.#fields[field] = sum;
    if (field === 0) this.segments++;
    else if (field === 1) this.sources = Math.max(this.sources, sum + 1);
    else if (field === 4) this.names = Math.max(this.names, sum + 1);
    if (field === 4) this.#report(true);
    // Behind a name another segment may begin without a comma: so `source-map` reads it.
    this.#field = field === 4 ? 0 : field + 1;
  }

  /** A segment has one number, four or five. */
  #endSegment(): void {
    if (this.#field === 2 || this.#field === 3) throw this.#wrong('a segment that breaks off');
    if (this.#field > 0) this.#report(this.#field === 4);
    this.#field = 0;
  }

  #report(hasSource: boolean): void {
    const fields = this.#fields;
    const source = hasSource ? (fields[1] ?? 0) : -1;
    this.#sink?.position(this.#line - 1, fields[0] ?? 0, source, fields[2] ?? 0, fields[3] ?? 0);
  }

  #wrong(what: string): MappingsError {
    return new MappingsError(`Its mappings can not be decoded: there is ${what} in line ${this.#line}.`);
  }
}
