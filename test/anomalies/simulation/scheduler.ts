import { setTimeout as sleep } from 'node:timers/promises';
import { SeededRandom } from '../../test-utils/seeded-random.mjs';
import { Anomaly } from './anomaly.ts';

interface ScheduledEvent {
  at: number;
  order: number;
  run: () => void;
  /** Background work: nothing waits for it, and it alone does not advance time. */
  isBackground: boolean;
}

const began = Date.UTC(2026, 10, 10, 12);
const hourMs = 3_600_000;
/** Real milliseconds without progress after which a request counts as hanging. */
const hangMs = 60_000;
/** Turns without progress after which real work gets the processor. */
const idleTurns = 50;

/**
 * Simulated time. Everything that takes time is scheduled here, at a time that the seed has drawn. Between two events
 * the server runs until it waits. Therefore the seed determines the whole run.
 */
export class Scheduler {
  readonly random: SeededRandom;
  readonly trace: string[] = [];
  /** Simulated milliseconds since the start. */
  time = 0;
  #clockAhead = 0;
  #frozenAt: number | null = null;
  #orders = 0;
  #events: ScheduledEvent[] = [];
  readonly #holds = new Set<object>();
  #failure: Anomaly | null = null;

  constructor(random: SeededRandom) {
    this.random = random;
  }

  /** The wall clock of the server. Unlike `time`, it jumps. */
  readonly now = (): number => this.#frozenAt ?? Math.floor(began + this.#clockAhead + this.time);

  jumpClock(ms: number): void {
    this.#clockAhead += ms;
    // If the month changed during a phase, the month of a report would be unknown.
    const { now } = this;
    if (new Date(now()).getUTCMonth() !== new Date(now() + hourMs).getUTCMonth()) this.#clockAhead += 2 * hourMs;
  }

  /** Sets the wall clock right. */
  correctClock(): void {
    this.#clockAhead = 0;
  }

  /** Stops the wall clock, so that responses with timestamps can be compared. */
  freezeClock(): void {
    this.#frozenAt = this.now();
  }

  releaseClock(): void {
    this.#frozenAt = null;
  }

  /** Returns the next number in the order of requests, responses and scheduled events. */
  order(): number {
    return ++this.#orders;
  }

  note(line: string): void {
    this.trace.push(`${this.time.toFixed(1).padStart(8)}  ${line}`);
  }

  /** Records an anomaly where nothing can be thrown. The next `until` throws it. */
  fail(message: string): void {
    this.#failure ??= new Anomaly(message);
  }

  after(delayMs: number, run: () => void, isBackground = false): void {
    this.#events.push({ at: this.time + delayMs, order: this.order(), run, isBackground });
  }

  /** Advances time without sending requests. Stops early once `isInterrupted` returns true. */
  async idle(ms: number, isInterrupted = (): boolean => false): Promise<void> {
    let isOver = false;
    this.after(ms, () => void (isOver = true));
    await this.until(() => isOver || isInterrupted(), 'a rest');
  }

  /** Cancels all scheduled events, because the process has died. */
  clear(): void {
    this.#events = [];
    this.#holds.clear();
  }

  /**
   * Stops the simulation while real work (decompression, WebAssembly) runs, so that its duration does not matter.
   * Returns a function that continues.
   */
  hold(): () => void {
    const held = {};
    this.#holds.add(held);
    return () => void this.#holds.delete(held);
  }

  /** Runs scheduled events, one at a time, until the condition holds. */
  async until(condition: () => boolean, what: string): Promise<void> {
    let progressAt = Date.now();
    for (let turns = 0; ; turns++) {
      await turn();
      if (turns > idleTurns) await sleep(1);
      if (this.#failure) throw this.#failure;
      if (this.#holds.size === 0) {
        if (condition()) return;
        const next = this.#takeNext();
        if (next) {
          progressAt = Date.now();
          turns = 0;
          this.time = next.at;
          next.run();
          continue;
        }
      }
      if (Date.now() - progressAt > hangMs) throw new Anomaly(`No progress while waiting for ${what}`);
    }
  }

  /** Runs scheduled events until the promise settles, and returns its result. */
  async finish<Result>(promise: Promise<Result>, what: string): Promise<Result> {
    let isSettled = false;
    const settle = (): void => void (isSettled = true);
    promise.then(settle, settle);
    await this.until(() => isSettled, what);
    return promise;
  }

  /** Runs scheduled events until only background work is left. */
  async drain(): Promise<void> {
    await this.until(() => this.#events.every(({ isBackground }) => isBackground), 'all events');
  }

  #takeNext(): ScheduledEvent | null {
    let first: ScheduledEvent | null = null;
    if (this.#events.every(({ isBackground }) => isBackground)) return null;
    for (const one of this.#events)
      if (!first || one.at < first.at || (one.at === first.at && one.order < first.order)) first = one;
    if (first) this.#events.splice(this.#events.indexOf(first), 1);
    return first;
  }
}

/** Resolves when the server has done all that needs no waiting. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
