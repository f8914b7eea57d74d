import { setTimeout as sleep } from 'node:timers/promises';
import { SeededRandom } from '../../test-utils/seeded-random.mjs';

/** The server did what it promised not to do. */
export class Anomaly extends Error {
  override readonly name = 'Anomaly';
}

interface Happening {
  at: number;
  order: number;
  run: () => void;
  /** Nothing waits for it, and time does not go on for its sake. */
  isAside: boolean;
}

const began = Date.UTC(2026, 10, 10, 12);
const hourMs = 3_600_000;
/** Real milliseconds after which a request that nothing moves any more is said to hang. */
const patienceMs = 60_000;
/** After so many turns in which nothing moved, real work is given the processor. */
const idleTurns = 50;

/**
 * Time and order of a simulation. Whatever takes time is put into one row here, and happens at a moment that the
 * seed has drawn; between two happenings the server does all that it can do at once. So a seed is a whole run.
 */
export class World {
  readonly random: SeededRandom;
  readonly trace: string[] = [];
  /** Milliseconds since the simulation began. */
  time = 0;
  #clockAhead = 0;
  #frozenAt: number | null = null;
  #orders = 0;
  #row: Happening[] = [];
  readonly #holds = new Set<object>();
  #failure: Anomaly | null = null;

  constructor(random: SeededRandom) {
    this.random = random;
  }

  /** The clock of the server, which unlike `time` jumps. */
  readonly now = (): number => this.#frozenAt ?? Math.floor(began + this.#clockAhead + this.time);

  jump(ms: number): void {
    this.#clockAhead += ms;
    // A month that ends in the middle of something would leave open which one it belongs to.
    const { now } = this;
    if (new Date(now()).getUTCMonth() !== new Date(now() + hourMs).getUTCMonth()) this.#clockAhead += 2 * hourMs;
  }

  /** Answers that hold the time of day can be compared only if it stands still. */
  freezeClock(): void {
    this.#frozenAt = this.now();
  }

  releaseClock(): void {
    this.#frozenAt = null;
  }

  /** The next place in the one order of all that is asked and answered. */
  order(): number {
    return ++this.#orders;
  }

  note(line: string): void {
    this.trace.push(`${this.time.toFixed(1).padStart(8)}  ${line}`);
  }

  /** What is found where nothing can be thrown is thrown by the next `until`. */
  fail(message: string): void {
    this.#failure ??= new Anomaly(message);
  }

  after(delayMs: number, run: () => void, isAside = false): void {
    this.#row.push({ at: this.time + delayMs, order: this.order(), run, isAside });
  }

  /** Nobody asks for anything for so long. */
  async rest(ms: number): Promise<void> {
    let isOver = false;
    this.after(ms, () => void (isOver = true));
    await this.until(() => isOver, 'a rest');
  }

  /** What was to happen is forgotten: the machine it would have happened on is gone. */
  clear(): void {
    this.#row = [];
    this.#holds.clear();
  }

  /**
   * Real work (unpacking, WebAssembly) takes as long as it takes. Nothing else happens until it is done, so
   * that it does not matter how long that was.
   */
  hold(): () => void {
    const held = {};
    this.#holds.add(held);
    return () => void this.#holds.delete(held);
  }

  /** Lets things happen, one at a time, until this is so. */
  async until(isSo: () => boolean, what: string): Promise<void> {
    let movedAt = Date.now();
    for (let turns = 0; ; turns++) {
      await turn();
      if (turns > idleTurns) await sleep(1);
      if (this.#failure) throw this.#failure;
      if (this.#holds.size === 0) {
        if (isSo()) return;
        const next = this.#takeNext();
        if (next) {
          movedAt = Date.now();
          turns = 0;
          this.time = next.at;
          next.run();
          continue;
        }
      }
      if (Date.now() - movedAt > patienceMs) throw new Anomaly(`Nothing moves any more: ${what}`);
    }
  }

  /** Resolves as the promise does, letting happen what has to happen for it. */
  async finish<Result>(promise: Promise<Result>, what: string): Promise<Result> {
    let isSettled = false;
    const settle = (): void => void (isSettled = true);
    promise.then(settle, settle);
    await this.until(() => isSettled, what);
    return promise;
  }

  /** Lets everything happen that is still to happen. */
  async calm(): Promise<void> {
    await this.until(() => this.#row.every(({ isAside }) => isAside), 'something goes on and on');
  }

  #takeNext(): Happening | null {
    let first: Happening | null = null;
    if (this.#row.every(({ isAside }) => isAside)) return null;
    for (const one of this.#row)
      if (!first || one.at < first.at || (one.at === first.at && one.order < first.order)) first = one;
    if (first) this.#row.splice(this.#row.indexOf(first), 1);
    return first;
  }
}

/** All that the server can do without waiting is done. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
