import type { TagCount } from '@service/protocol';
import { maxTagValues } from '../../retention/retention-policy.ts';
import type { BytesReader } from '../codec/bytes-reader.ts';
import type { BytesWriter } from '../codec/bytes-writer.ts';

/**
 * Counts how often each value occurs, for a limited number of values. Above the limit, drops the rarer half, and of equally
 * rare values the older ones. So a value that becomes frequent late is still counted.
 */
export class TopValues {
  /** The first value. Most groups have at most one value, so the Map is created with the second one. */
  #only: string | null = null;
  #countOfOnly = 0;
  #counts: Map<string, number> | null = null;

  add(value: string): void {
    if (this.#counts) {
      this.#counts.set(value, (this.#counts.get(value) ?? 0) + 1);
      if (this.#counts.size > maxTagValues) this.#dropRare(this.#counts);
    } else if (this.#only === null) {
      this.#only = value;
      this.#countOfOnly = 1;
    } else if (this.#only === value) {
      this.#countOfOnly++;
    } else {
      this.#counts = new Map([
        [this.#only, this.#countOfOnly],
        [value, 1],
      ]);
    }
  }

  has(value: string): boolean {
    return this.#counts ? this.#counts.has(value) : this.#only === value;
  }

  /** Returns the most frequent values with their counts, most frequent first. */
  top(max: number): TagCount[] {
    if (this.#counts) {
      return Array.from(this.#counts, ([value, count]) => ({ value, count }))
        .toSorted((a, b) => b.count - a.count)
        .slice(0, max);
    }
    return this.#only === null ? [] : [{ value: this.#only, count: this.#countOfOnly }];
  }

  /** Returns the most frequent values, most frequent first. */
  topValues(max: number): string[] {
    if (this.#counts) return this.top(max).map(({ value }) => value);
    return this.#only === null ? [] : [this.#only];
  }

  /** With `isPlain`, values are written without references to earlier text. */
  pack(to: BytesWriter, isPlain = false): void {
    if (this.#counts) {
      to.uint(this.#counts.size);
      for (const [value, count] of this.#counts) packCount(value, count, to, isPlain);
    } else {
      to.uint(this.#only === null ? 0 : 1);
      if (this.#only !== null) packCount(this.#only, this.#countOfOnly, to, isPlain);
    }
  }

  static unpack(from: BytesReader): TopValues {
    const values = new TopValues();
    const size = from.uint();
    if (size > 1) values.#counts = new Map();
    for (let index = 0; index < size; index++) {
      values.#only = from.text() ?? '';
      values.#countOfOnly = from.uint();
      values.#counts?.set(values.#only, values.#countOfOnly);
    }
    return values;
  }

  /** Skips packed values. No text may be read after them, as with `skipText`. */
  static skip(from: BytesReader): void {
    for (let left = from.uint(); left > 0; left--) {
      from.skipText();
      from.uint();
    }
  }

  /** Returns whether plain packed values contain a value, given in the format of `plainText`. */
  static packedHas(from: BytesReader, value: Buffer): boolean {
    for (let left = from.uint(); left > 0; left--) {
      if (from.isNext(value)) return true;
      from.skipText();
      from.uint();
    }
    return false;
  }

  /** Returns the value if exactly one was packed plain, otherwise null. */
  static readOnly(from: BytesReader): string | null {
    const value = from.uint() === 1 ? from.sharedText() : null;
    if (value !== null) from.uint();
    return value;
  }

  #dropRare(counts: Map<string, number>): void {
    const newestFirst = [...counts].toReversed();
    const frequent = newestFirst.toSorted((a, b) => b[1] - a[1]).slice(0, maxTagValues / 2);
    this.#counts = new Map(frequent.toReversed());
  }
}

function packCount(value: string, count: number, to: BytesWriter, isPlain: boolean): void {
  if (isPlain) to.plainText(value);
  else to.text(value);
  to.uint(count);
}
