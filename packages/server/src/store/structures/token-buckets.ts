import { secondMs } from '../../time/units.ts';

/**
 * Buckets that are remembered. One more replaces the one that was unused for longest: a forgotten bucket is full again.
 */
const maxBuckets = 10_000;

interface Bucket {
  tokens: number;
  /** Milliseconds of `now`. */
  at: number;
}

/** A bucket of tokens for each key. It holds at most `burst` tokens, and gains `perSecond` tokens each second. */
export class TokenBuckets<Key extends number | string = number> {
  readonly #burst: number;
  readonly #perSecond: number;
  readonly #now: () => number;
  readonly #buckets = new Map<Key, Bucket>();

  /** `now` returns milliseconds of a monotonic clock. */
  constructor(burst: number, perSecond: number, now: () => number = () => performance.now()) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#now = now;
  }

  /** Takes tokens and returns true, or returns false if the bucket has fewer. */
  take(key: Key, tokens: number): boolean {
    const bucket = this.#bucketOf(key);
    if (bucket.tokens < tokens) return false;
    bucket.tokens -= tokens;
    return true;
  }

  /** Takes tokens, also more than the bucket has: then `take` fails until the bucket has gained the missing ones. */
  charge(key: Key, tokens: number): void {
    this.#bucketOf(key).tokens -= tokens;
  }

  /** Returns the bucket with its current tokens, and makes it the most recently used one. */
  #bucketOf(key: Key): Bucket {
    const now = this.#now();
    const bucket = this.#buckets.get(key) ?? { tokens: this.#burst, at: now };
    bucket.tokens = Math.min(this.#burst, bucket.tokens + ((now - bucket.at) / secondMs) * this.#perSecond);
    bucket.at = now;
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > maxBuckets) this.#forgetOldest();
    return bucket;
  }

  #forgetOldest(): void {
    for (const key of this.#buckets.keys()) {
      this.#buckets.delete(key);
      return;
    }
  }
}
