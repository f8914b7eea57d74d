/** A pause of so long says nothing about a line. */
const graceMs = 5_000;
/** Who brings less than 32 KiB a second is slow. */
const leastBytesPerMs = 32;

/** How soon the bytes of a body come while they are waited for: not while the server is busy with those that came. */
export class BodyPace {
  bytes = 0;
  readonly #now: () => number;
  #waitedMs = 0;
  /** Since when bytes are waited for; null: they are not. */
  #since: number | null = null;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get isSlow(): boolean {
    const waitedMs = this.#waitedMs + (this.#since === null ? 0 : this.#now() - this.#since);
    return waitedMs > graceMs + this.bytes / leastBytesPerMs;
  }

  wait(): void {
    this.#since ??= this.#now();
  }

  rest(): void {
    if (this.#since !== null) this.#waitedMs += this.#now() - this.#since;
    this.#since = null;
  }

  come(bytes: number): void {
    this.rest();
    this.bytes += bytes;
    this.wait();
  }
}
