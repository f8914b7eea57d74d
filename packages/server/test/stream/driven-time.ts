import type { Timing } from '../../src/store/log/timing.ts';

interface Repeated {
  ms: number;
  dueAt: number;
  work: () => void;
}

/** Time that goes on when it is told to: whatever is due meanwhile is done, in its order. */
export class DrivenTime implements Timing {
  #ms = 0;
  readonly #repeated = new Set<Repeated>();

  now(): number {
    return this.#ms;
  }

  async sleep(ms: number): Promise<void> {
    await this.pass(ms);
  }

  every(ms: number, work: () => void): () => void {
    const repeated = { ms, dueAt: this.#ms + ms, work };
    this.#repeated.add(repeated);
    return () => void this.#repeated.delete(repeated);
  }

  /** How much is repeated at the moment. */
  get timers(): number {
    return this.#repeated.size;
  }

  /** `meanwhile` is called after each millisecond that something was done in. */
  async pass(ms: number): Promise<void> {
    const end = this.#ms + ms;
    await turn();
    for (;;) {
      const next = [...this.#repeated].toSorted((one, other) => one.dueAt - other.dueAt)[0];
      if (!next || next.dueAt > end) break;
      this.#ms = Math.max(this.#ms, next.dueAt);
      next.dueAt += next.ms;
      next.work();
    }
    this.#ms = end;
  }
}

/** Whoever waits for the next turn of the event loop has had it. */
export async function turn(): Promise<void> {
  for (let turns = 0; turns < 2; turns++) await new Promise((resolve) => setImmediate(resolve));
}
