import { secondMs } from '../../time/units.ts';

/** Buckets that are remembered. Above, the full ones are forgotten: a new bucket is full as well. */
const maxBuckets = 10_000;

interface Bucket {
  tokens: number;
  /** Milliseconds of `now`. */
  at: number;
}

/** A bucket of tokens for each key. It holds `burst` tokens at most, and gets `perSecond` of them back. */
export class TokenBuckets {
  readonly #burst: number;
  readonly #perSecond: number;
  readonly #now: () => number;
  readonly #buckets = new Map<number, Bucket>();

  /** `now` returns milliseconds of a monotonic clock. */
  constructor(burst: number, perSecond: number, now: () => number = () => performance.now()) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#now = now;
  }

  /** Takes tokens and returns true, or returns false if the bucket has less. */
  take(key: number, tokens: number): boolean {
    const now = this.#now();
    let bucket = this.#buckets.get(key);
    if (!bucket) this.#buckets.set(key, (bucket = { tokens: this.#burst, at: now }));
    bucket.tokens = this.#tokensAt(bucket, now);
    bucket.at = now;
    if (this.#buckets.size > maxBuckets) this.#forgetFull(now);
    if (bucket.tokens < tokens) return false;
    bucket.tokens -= tokens;
    return true;
  }

  #tokensAt({ tokens, at }: Bucket, now: number): number {
    return Math.min(this.#burst, tokens + ((now - at) / secondMs) * this.#perSecond);
  }

  #forgetFull(now: number): void {
    for (const [key, bucket] of this.#buckets)
      if (this.#tokensAt(bucket, now) >= this.#burst) this.#buckets.delete(key);
  }
}
