import { ProblemError } from '../problem.ts';

const retryAfterSeconds = 5;

/**
 * Limits how many do something expensive at a time. The others wait, in the order in which they came; of several lanes, such
 * as projects, each has its turn before one has its next, so that many of one lane hold up no other for long.
 */
export class Semaphore {
  readonly #limit: number;
  readonly #maxWaiting: number;
  #running = 0;
  /** By lane; the one that had a turn last is last. */
  readonly #waiting = new Map<number, (() => void)[]>();
  #waitingCount = 0;

  constructor(atOnce: number, mostWaiting = Infinity) {
    this.#limit = atOnce;
    this.#maxWaiting = mostWaiting;
  }

  /** Whether whoever comes now has to wait, or is turned away. */
  get isFull(): boolean {
    return this.#running >= this.#limit;
  }

  /** Whether somebody waits. */
  get hasWaiters(): boolean {
    return this.#waitingCount > 0;
  }

  /** Rejects with `overloaded` if too many are waiting already. */
  async run<Result>(work: () => Promise<Result>, lane = 0): Promise<Result> {
    const end = await this.acquire(lane);
    try {
      return await work();
    } finally {
      end();
    }
  }

  /** A turn that lasts until what this resolves with is called, once. Rejects as `take` does. */
  async acquire(lane = 0): Promise<() => void> {
    if (this.isFull) await this.#wait(lane);
    else this.#running++;
    return () => {
      // Handed on rather than given back, so that nobody overtakes.
      const next = this.#next();
      if (next) next();
      else this.#running--;
    };
  }

  #next(): (() => void) | undefined {
    for (const [lane, waiting] of this.#waiting) {
      const next = waiting.shift();
      this.#waiting.delete(lane);
      if (waiting.length > 0) this.#waiting.set(lane, waiting);
      this.#waitingCount--;
      return next;
    }
    return undefined;
  }

  #wait(lane: number): Promise<void> {
    if (this.#waitingCount >= this.#maxWaiting)
      throw new ProblemError('overloaded', 'The server has more of this to do than it can. Try again in a moment.', {
        retryAfterSeconds,
      });
    const waiting = this.#waiting.get(lane) ?? [];
    this.#waiting.set(lane, waiting);
    this.#waitingCount++;
    return new Promise((resolve) => waiting.push(resolve));
  }
}
