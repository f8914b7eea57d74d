import type { Timing } from '../../src/time/timing.ts';

interface Repeated {
  ms: number;
  dueAt: number;
  work: () => void;
}

/** A clock that tests advance. Repeated work that is due is run in order. */
export class ManualTime implements Timing {
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

  /** The number of repeated jobs. */
  get timers(): number {
    return this.#repeated.size;
  }

  /** Advances the clock by `ms`, and runs the work that is due. */
  async pass(ms: number): Promise<void> {
    const end = this.#ms + ms;
    await nextTurn();
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

/** Resolves after two turns of the event loop, so that callbacks that wait for one have run. */
export async function nextTurn(): Promise<void> {
  for (let count = 0; count < 2; count++) await new Promise((resolve) => setImmediate(resolve));
}
