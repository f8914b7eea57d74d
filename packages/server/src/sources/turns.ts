import { ProblemError } from '../problem.ts';

const retryAfterSeconds = 5;

/** Lets so many at a time do something that is dear, and the others wait in the order in which they came. */
export class Turns {
  readonly #atOnce: number;
  readonly #mostWaiting: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number, mostWaiting = Infinity) {
    this.#atOnce = atOnce;
    this.#mostWaiting = mostWaiting;
  }

  /** Whether whoever comes now has to wait, or is turned away. */
  get areAllTaken(): boolean {
    return this.#running >= this.#atOnce;
  }

  /** Whether somebody waits. */
  get areAwaited(): boolean {
    return this.#waiting.length > 0;
  }

  /** Rejects with `overloaded` if too many are waiting already. */
  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    const end = await this.begin();
    try {
      return await work();
    } finally {
      end();
    }
  }

  /** A turn that lasts until what this resolves with is called, once. Rejects as `take` does. */
  async begin(): Promise<() => void> {
    if (this.areAllTaken) await this.#wait();
    else this.#running++;
    return () => {
      // Handed on rather than given back, so that nobody overtakes.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    };
  }

  #wait(): Promise<void> {
    if (this.#waiting.length >= this.#mostWaiting)
      throw new ProblemError('overloaded', 'The server has more of this to do than it can. Try again in a moment.', {
        retryAfterSeconds,
      });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
