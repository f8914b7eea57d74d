import type { TagCount } from '@service/protocol';
import { maxTagValues } from '../../retention/retention-policy.ts';
import type { BytesReader } from '../codec/bytes-reader.ts';
import type { BytesWriter } from '../codec/bytes-writer.ts';

/**
 * Counts values, as many as there is room for. When the room is used up the rarer half is forgotten, the older of
 * equals first, so that what is frequent is counted whenever it begins.
 */
export class TopValues {
  /** Most groups have one value or none: a Map comes with the second. */
  #only: string | null = null;
  #countOfOnly = 0;
  #counts: Map<string, number> | null = null;

  add(value: string): void {
    if (this.#counts) {
      this.#counts.set(value, (this.#counts.get(value) ?? 0) + 1);
      if (this.#counts.size > maxTagValues) this.#forgetRare(this.#counts);
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

  /** The most frequent ones, with their counts. */
  top(max: number): TagCount[] {
    if (this.#counts) {
      return Array.from(this.#counts, ([value, count]) => ({ value, count }))
        .toSorted((a, b) => b.count - a.count)
        .slice(0, max);
    }
    return this.#only === null ? [] : [{ value: this.#only, count: this.#countOfOnly }];
  }

  /** The most frequent ones. */
  topValues(max: number): string[] {
    if (this.#counts) return this.top(max).map(({ value }) => value);
    return this.#only === null ? [] : [this.#only];
  }

  /** `isPlain`: values are written without references to earlier text. */
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

  /** Goes past what `pack` wrote. Not for what reads on, as with `skipText`. */
  static skip(from: BytesReader): void {
    for (let left = from.uint(); left > 0; left--) {
      from.skipText();
      from.uint();
    }
  }

  /** Looks for a value, as `plainText` writes it, in what `pack` wrote plain. */
  static packedHas(from: BytesReader, value: Buffer): boolean {
    for (let left = from.uint(); left > 0; left--) {
      if (from.isNext(value)) return true;
      from.skipText();
      from.uint();
    }
    return false;
  }

  /** Returns the only value that `pack` wrote plain, or null if there are several or none. */
  static readOnly(from: BytesReader): string | null {
    const value = from.uint() === 1 ? from.sharedText() : null;
    if (value !== null) from.uint();
    return value;
  }

  #forgetRare(counts: Map<string, number>): void {
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
