import type { CustomTag } from '@service/protocol';
import { maxCustomTagChars, maxCustomTagValues, maxTagNames } from './memory-limits.ts';
import type { BytesReader } from '../codec/bytes-reader.ts';
import type { BytesWriter } from '../codec/bytes-writer.ts';

/** The memory of a name or a value in addition to its text, as a number of characters. */
const overheadChars = 8;

/**
 * Counts the values of tags. Stores the first `maxTagNames` names, and the values of each name within the limits of
 * `TagValues`.
 */
export class TagCounts {
  readonly #tags = new Map<string, TagValues>();

  /** Size of the names and values, in characters. */
  get chars(): number {
    if (this.#tags.size === 0) return 0;
    let chars = 0;
    for (const [name, values] of this.#tags) chars += charsOf(name) + values.chars;
    return chars;
  }

  /** Counts a value. Without `admitsNew`, an unknown value counts as other, and an unknown name not at all. */
  add(name: string, value: string, admitsNew: boolean): void {
    let values = this.#tags.get(name);
    if (!values) {
      if (!admitsNew || this.#tags.size >= maxTagNames) return;
      values = new TagValues();
      this.#tags.set(copyOf(name), values);
    }
    values.add(value, admitsNew);
  }

  /** Adds the counts of other reports. */
  addAll(other: TagCounts): void {
    for (const [name, values] of other.#tags) {
      const known = this.#tags.get(name);
      if (!known && this.#tags.size >= maxTagNames) continue;
      const sum = known ?? new TagValues();
      this.#tags.set(name, sum);
      sum.addAll(values);
    }
  }

  /** Returns the tags by name, each with its most frequent values. */
  top(maxValues: number): CustomTag[] {
    const tags = Array.from(this.#tags, ([name, values]) => ({ name, ...values.top(maxValues) }));
    return tags.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  *entries(): Generator<{ name: string; value: string }> {
    for (const [name, values] of this.#tags) for (const value of values.values()) yield { name, value };
  }

  /** Writes texts without references to earlier ones, so that they can be read without what precedes them. */
  pack(to: BytesWriter): void {
    to.uint(this.#tags.size);
    for (const [name, values] of this.#tags) {
      to.plainText(name);
      values.pack(to);
    }
  }

  static unpack(from: BytesReader): TagCounts {
    const counts = new TagCounts();
    for (let left = from.uint(); left > 0; left--) counts.#tags.set(from.text() ?? '', TagValues.unpack(from));
    return counts;
  }
}

/**
 * Counts the values of one tag. Beyond a limit, only the most frequent values remain, up to half of each limit, and the
 * rest counts as other. Of equally frequent values, the newer ones remain.
 */
class TagValues {
  #counts = new Map<string, number>();
  #other = 0;
  #chars = 0;

  get chars(): number {
    return this.#chars;
  }

  add(value: string, admitsNew: boolean): void {
    const count = this.#counts.get(value);
    if (count !== undefined) this.#counts.set(value, count + 1);
    else if (admitsNew) this.#admit(copyOf(value), 1);
    else this.#other++;
  }

  addAll(other: TagValues): void {
    this.#other += other.#other;
    for (const [value, count] of other.#counts) {
      const known = this.#counts.get(value);
      if (known !== undefined) this.#counts.set(value, known + count);
      else this.#admit(value, count);
    }
  }

  top(max: number): { values: CustomTag['values']; other: number } {
    const sorted = Array.from(this.#counts, ([value, count]) => ({ value, count })).toSorted(
      (a, b) => b.count - a.count,
    );
    const other = sorted.slice(max).reduce((sum, { count }) => sum + count, this.#other);
    return { values: sorted.slice(0, max), other };
  }

  values(): Iterable<string> {
    return this.#counts.keys();
  }

  pack(to: BytesWriter): void {
    to.uint(this.#other);
    to.uint(this.#counts.size);
    for (const [value, count] of this.#counts) {
      to.plainText(value);
      to.uint(count);
    }
  }

  static unpack(from: BytesReader): TagValues {
    const values = new TagValues();
    values.#other = from.uint();
    for (let left = from.uint(); left > 0; left--) values.#put(from.text() ?? '', from.uint());
    return values;
  }

  #admit(value: string, count: number): void {
    this.#put(value, count);
    if (this.#counts.size > maxCustomTagValues || this.#chars > maxCustomTagChars) this.#forgetRare();
  }

  #put(value: string, count: number): void {
    this.#counts.set(value, count);
    this.#chars += charsOf(value);
  }

  #forgetRare(): void {
    const frequentFirst = [...this.#counts].toReversed().toSorted((a, b) => b[1] - a[1]);
    this.#counts = new Map();
    this.#chars = 0;
    for (const [value, count] of frequentFirst) {
      const hasRoom =
        this.#counts.size < maxCustomTagValues / 2 && this.#chars + charsOf(value) <= maxCustomTagChars / 2;
      if (hasRoom) this.#put(value, count);
      else this.#other += count;
    }
    this.#counts = new Map([...this.#counts].toReversed());
  }
}

function charsOf(text: string): number {
  return text.length + overheadChars;
}

/** Returns an equal text that is not a slice: a slice would keep the whole packed tags in memory. */
function copyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
