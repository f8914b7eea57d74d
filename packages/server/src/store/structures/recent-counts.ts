import type { BytesReader } from '../codec/bytes-reader.ts';
import type { BytesWriter } from '../codec/bytes-writer.ts';

/** Counts events by buckets of time, such as hours or days. Drops all but the newest buckets. */
export class RecentCounts {
  readonly #bucketMs: number;
  readonly #size: number;
  /** Oldest first. The last count belongs to the bucket `#last`. */
  #counts: number[] = [];
  #last = 0;

  constructor(bucketMs: number, size: number) {
    this.#bucketMs = bucketMs;
    this.#size = size;
  }

  add(at: number): void {
    const bucket = Math.floor(at / this.#bucketMs);
    if (this.#counts.length === 0) {
      this.#counts = [0];
      this.#last = bucket;
    }
    this.#advance(bucket);
    // After a clock was set back, the event counts in an earlier bucket, if that still exists.
    const index = this.#counts.length - 1 - (this.#last - bucket);
    if (index >= 0) this.#counts[index] = (this.#counts[index] ?? 0) + 1;
  }

  /** Returns the counts of all buckets up to that of `now`, oldest first. */
  until(now: number): number[] {
    const counts = Array<number>(this.#size).fill(0);
    const current = Math.floor(now / this.#bucketMs);
    const first = this.#size - this.#counts.length - (current - this.#last);
    // Most groups have few counts. The other buckets are already 0.
    for (let index = Math.max(0, -first); index < this.#counts.length && first + index < this.#size; index++)
      counts[first + index] = this.#counts[index] ?? 0;
    return counts;
  }

  pack(to: BytesWriter): void {
    to.uint(this.#counts.length);
    to.uint(this.#last);
    for (const count of this.#counts) to.uint(count);
  }

  /** Replaces all counts by those that `pack` wrote. */
  unpack(from: BytesReader): void {
    const length = from.uint();
    this.#last = from.uint();
    this.#counts = [];
    for (let index = 0; index < length; index++) this.#counts.push(from.uint());
  }

  #advance(bucket: number): void {
    if (bucket <= this.#last) return;
    if (bucket - this.#last >= this.#size) this.#counts = [0];
    else for (let next = this.#last; next < bucket; next++) this.#counts.push(0);
    if (this.#counts.length > this.#size) this.#counts.splice(0, this.#counts.length - this.#size);
    this.#last = bucket;
  }
}
