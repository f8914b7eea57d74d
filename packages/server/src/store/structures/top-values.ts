import type { TagCount } from '@service/protocol';
import { maxTagChars, maxTagValues } from './memory-limits.ts';
import type { BytesReader } from '../codec/bytes-reader.ts';
import type { BytesWriter } from '../codec/bytes-writer.ts';

/** The key of all values that are not counted by themselves. Older versions show it as a value. */
const otherKey = '\0';

/**
 * Counts how often each value occurs, for a limited number of values. Above the limit, the rarer half counts as other,
 * and of equally rare values the older ones. So a value that becomes frequent late is still counted.
 */
export class TopValues {
  /** The first value. Most groups have at most one value, so the Map is created with the second one. */
  #only: string | null = null;
  #countOfOnly = 0;
  #counts: Map<string, number> | null = null;
  /** Size of the values in the Map, in characters. */
  #chars = 0;

  /** Counts a value. Without `admitsNew`, a value that is not counted yet counts as other, except the first one. */
  add(value: string, admitsNew = true): void {
    if (this.#counts) {
      this.#addTo(this.#counts, admitsNew || this.#counts.has(value) ? value : otherKey, 1);
    } else if (this.#only === null) {
      this.#only = value;
      this.#countOfOnly = 1;
    } else if (this.#only === value) {
      this.#countOfOnly++;
    } else {
      this.#addTo(this.#toMap(), admitsNew ? value : otherKey, 1);
    }
  }

  /** Adds the counts of other reports. */
  addAll(other: TopValues): void {
    for (const [value, count] of other.#entries()) {
      const isOnly = !this.#counts && value !== otherKey && (this.#only ?? value) === value;
      if (isOnly) [this.#only, this.#countOfOnly] = [value, this.#countOfOnly + count];
      else this.#addTo(this.#toMap(), value, count);
    }
  }

  #entries(): Iterable<[string, number]> {
    return this.#counts ?? (this.#only === null ? [] : [[this.#only, this.#countOfOnly]]);
  }

  #toMap(): Map<string, number> {
    if (this.#counts) return this.#counts;
    this.#chars = this.#only?.length ?? 0;
    return (this.#counts = new Map(this.#entries()));
  }

  #addTo(counts: Map<string, number>, value: string, count: number): void {
    const known = counts.get(value);
    counts.set(value, (known ?? 0) + count);
    if (known !== undefined) return;
    this.#chars += value.length;
    if (counts.size > maxTagValues || this.#chars > maxTagChars) this.#dropRare(counts);
  }

  has(value: string): boolean {
    return this.#counts ? this.#counts.has(value) : this.#only === value;
  }

  /** Returns the most frequent values with their counts, most frequent first. */
  top(max: number): TagCount[] {
    if (this.#counts) {
      return Array.from(this.#counts, ([value, count]) => ({ value, count }))
        .filter(({ value }) => value !== otherKey)
        .toSorted((a, b) => b.count - a.count)
        .slice(0, max);
    }
    return this.#only === null ? [] : [{ value: this.#only, count: this.#countOfOnly }];
  }

  /** Returns how many reports had a value that `top` does not return. */
  other(max: number): number {
    if (!this.#counts) return 0;
    const shown = this.top(max).reduce((sum, { count }) => sum + count, 0);
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0) - shown;
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

  /** Also limits values that an earlier version has packed. `cut` shortens a value before it is counted. */
  static unpack(from: BytesReader, cut?: (value: string) => string): TopValues {
    const values = new TopValues();
    const size = from.uint();
    const counts = size > 1 ? new Map<string, number>() : null;
    values.#counts = counts;
    for (let index = 0; index < size; index++) {
      const text = from.text() ?? '';
      const value = cut ? cut(text) : text;
      const count = from.uint();
      if (values.#counts) values.#addTo(values.#counts, value, count);
      else [values.#only, values.#countOfOnly] = [value, count];
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
    let other = counts.get(otherKey) ?? 0;
    const newestFirst = [...counts].filter(([value]) => value !== otherKey).toReversed();
    const kept: [string, number][] = [];
    let chars = otherKey.length;
    for (const [value, count] of newestFirst.toSorted((a, b) => b[1] - a[1])) {
      const fits = kept.length < maxTagValues / 2 && (chars + value.length <= maxTagChars / 2 || kept.length === 0);
      if (fits) {
        kept.push([value, count]);
        chars += value.length;
      } else other += count;
    }
    this.#counts = new Map([[otherKey, other], ...kept.toReversed()]);
    this.#chars = chars;
  }
}

function packCount(value: string, count: number, to: BytesWriter, isPlain: boolean): void {
  if (isPlain) to.plainText(value);
  else to.text(value);
  to.uint(count);
}
