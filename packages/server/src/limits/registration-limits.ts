import { limits } from '@service/protocol';
import { TokenBuckets } from '../store/structures/token-buckets.ts';
import { hourMs, secondMs } from '../time/units.ts';
import { addressKey } from './address-key.ts';

/**
 * Limits the accounts that one IPv4 address or IPv6 /64 network registers per hour, because each one causes a mail. A
 * restart resets the counts.
 */
export class RegistrationLimits {
  readonly #buckets: TokenBuckets<string>;

  /** `now` returns milliseconds of a monotonic clock. */
  constructor(now: () => number) {
    const perSecond = limits.registrationsPerAddress / (hourMs / secondMs);
    this.#buckets = new TokenBuckets(limits.registrationsPerAddress, perSecond, now);
  }

  /** Counts a registration and returns true, or returns false if the address has reached the limit. */
  take(address: string): boolean {
    return this.#buckets.take(addressKey(address), 1);
  }
}
