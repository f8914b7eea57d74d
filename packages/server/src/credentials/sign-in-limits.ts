import { ProblemError } from '../problem.ts';
import type { Turn } from './password.ts';
import { networkOf, subscriberOf } from './subscriber.ts';

const windowMs = 15 * 60_000;
const mostPerPair = 10;
const mostPerAddress = 50;
/** Who has one IPv6 address has 2^64 of them. */
const mostPerNetwork = 200;
/** Half of the keys that are remembered: more than the hashing of passwords lets fail in the window. */
const mostKeys = 10_000;

/** Counts wrong passwords by who tries whose, and by who tries. A restart forgets them. */
export class SignInLimits {
  /** Milliseconds of the failures of a key, oldest first. */
  #failures = new Map<string, number[]>();
  /** Those of keys that have not failed since the other map was begun: forgotten when that one is full, or old. */
  #earlier = new Map<string, number[]>();
  #begunAt = 0;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Keys that are remembered. */
  get size(): number {
    return this.#failures.size + this.#earlier.size;
  }

  /** A password that is about to be compared. Its beginning throws `too_many_requests` if there were too many wrong ones. */
  guess(email: string, address: string): Turn {
    const pair = `${address} ${email}`;
    const network = networkOf(address);
    const limited: [key: string, most: number][] = [
      [pair, mostPerPair],
      [address, mostPerAddress],
      ...(network === null ? [] : [[network, mostPerNetwork] as [string, number]]),
    ];
    return {
      who: subscriberOf(address),
      begin: () => {
        const waits = limited.map(([key, most]) => this.#waitMs(key, most));
        const waitMs = Math.max(...waits);
        if (waitMs > 0) throw tooManyFailures(waitMs);
      },
      end: (isRight) => {
        if (isRight) this.#forget(pair);
        else for (const [key] of limited) this.#count(key);
      },
    };
  }

  /** How long this key has to wait, or 0. */
  #waitMs(key: string, most: number): number {
    const recent = this.#recent(key);
    const [oldest = 0] = recent;
    return recent.length < most ? 0 : oldest + windowMs - this.#now();
  }

  #count(key: string): void {
    const now = this.#now();
    const failures = [...this.#recent(key), now];
    if (this.#failures.size >= mostKeys || Math.abs(now - this.#begunAt) >= windowMs) {
      this.#earlier = this.#failures;
      this.#failures = new Map();
      this.#begunAt = now;
    }
    this.#forget(key);
    this.#failures.set(key, failures);
  }

  #forget(key: string): void {
    this.#failures.delete(key);
    this.#earlier.delete(key);
  }

  #recent(key: string): number[] {
    const now = this.#now();
    const failures = this.#failures.get(key) ?? this.#earlier.get(key) ?? [];
    // A clock that was set back must lock nobody out for longer.
    return failures.filter((at) => at > now - windowMs && at <= now);
  }
}

function tooManyFailures(waitMs: number): ProblemError {
  return new ProblemError('too_many_requests', 'Too many sign-ins have failed. Wait before you try again.', {
    retryAfterSeconds: Math.ceil(waitMs / 1_000),
  });
}
