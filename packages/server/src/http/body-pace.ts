/** The total time that a client may pause without being slow. */
const graceMs = 5_000;
/** A client is slow below this rate: 32 KiB a second. */
const minBytesPerMs = (32 * 1024) / 1_000;

/**
 * Measures how fast the bytes of a body arrive. The time in which the server processes earlier bytes does not count.
 */
export class BodyPace {
  bytes = 0;
  readonly #now: () => number;
  #waitedMs = 0;
  /** Start of the current wait for bytes, or null while the server does not read. */
  #since: number | null = null;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get isSlow(): boolean {
    const waitedMs = this.#waitedMs + (this.#since === null ? 0 : this.#now() - this.#since);
    return waitedMs > graceMs + this.bytes / minBytesPerMs;
  }

  wait(): void {
    this.#since ??= this.#now();
  }

  pause(): void {
    if (this.#since !== null) this.#waitedMs += this.#now() - this.#since;
    this.#since = null;
  }

  receive(bytes: number): void {
    this.pause();
    this.bytes += bytes;
    this.wait();
  }
}
