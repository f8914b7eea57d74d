import { AdmissionCache } from '../cache/admission-cache.ts';
import { ProblemError } from '../problem.ts';
import type { TrustedProxies } from '../proxies/trusted-proxies.ts';
import { TokenBuckets } from '../store/structures/token-buckets.ts';
import { minuteMs, secondMs } from '../time/units.ts';
import { addressKey } from './address-key.ts';

const secondsPerMinute = minuteMs / secondMs;
const retrySeconds = 5;
const maxCachedAddresses = 10_000;
const maxCachedAddressChars = 1_000_000;
/** The cached key of a client without limits. */
const unlimited = '';

export interface ReportLimitsOptions {
  reportsPerMinute: number;
  bytesPerMinute: number;
  proxies: Pick<TrustedProxies, 'clientAddress'>;
  /** Returns milliseconds of a monotonic clock. */
  now: () => number;
  /** Called at most once a minute, with the IPv4 address or IPv6 /64 network of a client whose report is rejected. */
  onRejected: (address: string) => void;
}

/**
 * Limits the reports that one IPv4 address or IPv6 /64 network sends, and their bytes after decompression: a minute's
 * worth of each at once. Clients with a loopback address, which run on this machine, have no limit. If a proxy on this
 * machine is not trusted, its clients have none either, because their addresses are unknown.
 */
export class ReportLimits {
  /** Reports that were rejected. */
  rejectedCount = 0;
  readonly #options: ReportLimitsOptions;
  readonly #reports: TokenBuckets<string>;
  readonly #bytes: TokenBuckets<string>;
  readonly #keys = new AdmissionCache<string>(maxCachedAddresses, maxCachedAddressChars);
  #warnedAt = -Infinity;

  constructor(options: ReportLimitsOptions) {
    const { reportsPerMinute, bytesPerMinute, now } = options;
    this.#options = options;
    this.#reports = new TokenBuckets(reportsPerMinute, reportsPerMinute / secondsPerMinute, now);
    this.#bytes = new TokenBuckets(bytesPerMinute, bytesPerMinute / secondsPerMinute, now);
  }

  /**
   * Counts a report before its body is read. Returns a function that counts the bytes of its body. Throws `overloaded`
   * if the client has sent too much.
   */
  admit(socketAddress: string, forwardedFor: string | null): (bytes: number) => void {
    const key = this.clientOf(socketAddress, forwardedFor);
    if (key === unlimited) return countNothing;
    // The size of a body is known only at its end, so one body may exceed the limit. Later ones are rejected until the
    // client has room for bytes again.
    if (!this.#bytes.take(key, 0) || !this.#reports.take(key, 1)) throw this.#reject(key);
    return (bytes) => this.#bytes.charge(key, bytes);
  }

  /** Returns the key under which a client is limited. All clients without limits have the same one. */
  clientOf(socketAddress: string, forwardedFor: string | null): string {
    const request = forwardedFor === null ? socketAddress : `${socketAddress} ${forwardedFor}`;
    const cached = this.#keys.get(request);
    if (cached !== undefined) return cached;
    const address = this.#options.proxies.clientAddress(socketAddress, forwardedFor);
    const key = isLoopback(address) ? unlimited : addressKey(address);
    this.#keys.set(request, key);
    return key;
  }

  #reject(key: string): ProblemError {
    this.rejectedCount++;
    const now = this.#options.now();
    if (now - this.#warnedAt >= minuteMs) {
      this.#warnedAt = now;
      this.#options.onRejected(key);
    }
    return new ProblemError('overloaded', 'Your IP address has sent too many reports. Try again later.', {
      retryAfterSeconds: retrySeconds,
    });
  }
}

function countNothing(): void {
  // A client without limits.
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^127\.\d+\.\d+\.\d+$/.test(address);
}
