import { ProblemError } from '../problem.ts';
import { minuteMs } from '../time/units.ts';
import type { PasswordAttempt } from '../credentials/password.ts';
import { networkOf, addressKey } from './address-key.ts';

const maxPerPair = 10;
const maxPerAddress = 50;
/** A client with one IPv6 address usually has 2^64 of them, so the whole /64 network is limited as well. */
const maxPerNetwork = 200;
/** Failed sign-ins count towards the limits for this time. */
const failedSignInMs = 15 * minuteMs;
/** The size of each of the two maps of failures. Password hashing is too slow for more failures in the window. */
const maxKeys = 10_000;

/** Limits failed sign-ins per address and e-mail, per address, and per network. A restart resets the counts. */
export class SignInLimits {
  /** The times of the failures of each key, oldest first, in milliseconds since 1970. */
  #failures = new Map<string, number[]>();
  /** Failures of keys that have not failed since `#failures` was created. Dropped when `#failures` is full or old. */
  #previous = new Map<string, number[]>();
  #createdAt = 0;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Number of remembered keys. */
  get size(): number {
    return this.#failures.size + this.#previous.size;
  }

  /** Returns the hooks of one sign-in attempt. `begin` throws `too_many_requests` after too many failures. */
  attempt(email: string, address: string): PasswordAttempt {
    const pair = `${address} ${email}`;
    const network = networkOf(address);
    const limited: [key: string, max: number][] = [
      [pair, maxPerPair],
      [address, maxPerAddress],
      ...(network === null ? [] : [[network, maxPerNetwork] as [string, number]]),
    ];
    return {
      client: addressKey(address),
      begin: () => {
        const waits = limited.map(([key, max]) => this.#waitMs(key, max));
        const waitMs = Math.max(...waits);
        if (waitMs > 0) throw tooManyFailures(waitMs);
      },
      end: (isCorrect) => {
        if (isCorrect) this.#forget(pair);
        else for (const [key] of limited) this.#count(key);
      },
    };
  }

  /** Returns how long this key has to wait, in milliseconds; 0 if it is not limited. */
  #waitMs(key: string, max: number): number {
    const recent = this.#recent(key);
    const [oldest = 0] = recent;
    return recent.length < max ? 0 : oldest + failedSignInMs - this.#now();
  }

  #count(key: string): void {
    const now = this.#now();
    const failures = [...this.#recent(key), now];
    if (this.#failures.size >= maxKeys || Math.abs(now - this.#createdAt) >= failedSignInMs) {
      this.#previous = this.#failures;
      this.#failures = new Map();
      this.#createdAt = now;
    }
    this.#forget(key);
    this.#failures.set(key, failures);
  }

  #forget(key: string): void {
    this.#failures.delete(key);
    this.#previous.delete(key);
  }

  #recent(key: string): number[] {
    const now = this.#now();
    const failures = this.#failures.get(key) ?? this.#previous.get(key) ?? [];
    // A clock that was set back must not extend a lockout.
    return failures.filter((at) => at > now - failedSignInMs && at <= now);
  }
}

function tooManyFailures(waitMs: number): ProblemError {
  return new ProblemError('too_many_requests', 'Too many sign-ins have failed. Wait before you try again.', {
    retryAfterSeconds: Math.ceil(waitMs / 1_000),
  });
}
