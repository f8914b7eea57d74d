import type { BytesReader } from '../codec/bytes-reader.ts';
import type { BytesWriter } from '../codec/bytes-writer.ts';
import type { TimeShift } from '../records/time-shift.ts';

/** Counts with long gaps are packed as pairs of gap and count. The number of pairs plus this mark comes first. */
const gapsMark = 1_000;

/**
 * Counts events by buckets of time, such as hours or days. Keeps the newest buckets with events, even if they are too
 * old to be shown: if a clock was far ahead and is set back, they are shown again.
 */
export class RecentCounts {
  readonly #bucketMs: number;
  readonly #size: number;
  /** Oldest first. */
  #buckets: number[] = [];
  #counts: number[] = [];

  constructor(bucketMs: number, size: number) {
    this.#bucketMs = bucketMs;
    this.#size = size;
  }

  add(at: number): void {
    this.#add(Math.floor(at / this.#bucketMs), 1);
  }

  /** Adds the counts of another instance. */
  addAll(other: RecentCounts): void {
    for (const [index, bucket] of other.#buckets.entries()) this.#add(bucket, other.#counts[index] ?? 0);
  }

  /** Returns the counts of the last `size` buckets, up to that of `now`, oldest first. */
  until(now: number): number[] {
    const counts = Array<number>(this.#size).fill(0);
    const first = Math.floor(now / this.#bucketMs) - this.#size + 1;
    for (let index = this.#buckets.length - 1; index >= 0; index--) {
      const offset = (this.#buckets[index] ?? 0) - first;
      if (offset < 0) break;
      if (offset < this.#size) counts[offset] = this.#counts[index] ?? 0;
    }
    return counts;
  }

  /** Moves the counts of buckets that begin at or after `from`, and the bucket of `from` if all its times are wrong. */
  shiftTimes({ from, by, until }: TimeShift): void {
    const bucketMs = this.#bucketMs;
    const last = Math.floor(until / bucketMs);
    // The clock leapt ahead from `from + by` to `from`. If `from + by` is in an earlier bucket, all times in the bucket
    // of `from` are wrong.
    const isAlone = Math.floor((from + by) / bucketMs) < Math.floor(from / bucketMs);
    const firstMoved = isAlone ? Math.floor(from / bucketMs) : Math.ceil(from / bucketMs);
    const buckets = this.#buckets;
    const counts = this.#counts;
    this.#buckets = [];
    this.#counts = [];
    for (let index = 0; index < buckets.length; index++) {
      const bucket = buckets[index] ?? 0;
      const middle = (Math.max(from, bucket * bucketMs) + (bucket + 1) * bucketMs) / 2;
      const shifted = bucket < firstMoved ? bucket : Math.floor((middle + by) / bucketMs);
      this.#add(Math.min(last, shifted), counts[index] ?? 0);
    }
  }

  pack(to: BytesWriter): void {
    const buckets = this.#buckets;
    const last = buckets.at(-1) ?? 0;
    const first = buckets[0] ?? last + 1;
    if (last - first < this.#size) {
      to.uint(last - first + 1);
      to.uint(last);
      let index = 0;
      for (let bucket = first; bucket <= last; bucket++)
        to.uint(buckets[index] === bucket ? (this.#counts[index++] ?? 0) : 0);
      return;
    }
    to.uint(gapsMark + buckets.length);
    to.uint(last);
    for (let index = buckets.length - 1; index >= 0; index--) {
      to.uint((buckets[index + 1] ?? last) - (buckets[index] ?? 0));
      to.uint(this.#counts[index] ?? 0);
    }
  }

  /** Replaces all counts by those that `pack` wrote. */
  unpack(from: BytesReader): void {
    const length = from.uint();
    const last = from.uint();
    this.#buckets = [];
    this.#counts = [];
    if (length >= gapsMark) this.#unpackGaps(length - gapsMark, last, from);
    else
      for (let bucket = last - length + 1; bucket <= last; bucket++) {
        const count = from.uint();
        if (count > 0) this.#push(bucket, count);
      }
  }

  #unpackGaps(length: number, last: number, from: BytesReader): void {
    let bucket = last;
    for (let index = 0; index < length; index++) {
      bucket -= from.uint();
      this.#push(bucket, from.uint());
    }
    this.#buckets.reverse();
    this.#counts.reverse();
  }

  #push(bucket: number, count: number): void {
    this.#buckets.push(bucket);
    this.#counts.push(count);
  }

  #add(bucket: number, count: number): void {
    let index = this.#buckets.length;
    while (index > 0 && (this.#buckets[index - 1] ?? 0) > bucket) index--;
    if (index > 0 && this.#buckets[index - 1] === bucket) {
      this.#counts[index - 1] = (this.#counts[index - 1] ?? 0) + count;
      return;
    }
    this.#buckets.splice(index, 0, bucket);
    this.#counts.splice(index, 0, count);
    if (this.#buckets.length <= this.#size) return;
    this.#buckets.shift();
    this.#counts.shift();
  }
}
