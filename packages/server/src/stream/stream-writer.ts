import { SliceScheduler } from '../store/structures/slice-scheduler.ts';

/** In each iteration of the event loop, this many writes are made at once: together they take about a millisecond. */
const immediateWrites = 64;

/**
 * Writes to the streams of teams, in order for each team. A write takes some ten microseconds, and a team may have a
 * thousand streams. So an iteration of the event loop spends only a few milliseconds on writes, and teams take turns.
 */
export class StreamWriter {
  readonly #slices = new SliceScheduler();
  /** The writes of each team that wait for a later iteration. */
  readonly #waiting = new Map<number, (() => void)[]>();
  /** The number of writes that this iteration has made at once. */
  #count = 0;

  /** Calls `send` now, or after the writes of the team that wait. It must not throw. */
  write(teamId: number, send: () => void): void {
    const waiting = this.#waiting.get(teamId);
    if (waiting) waiting.push(send);
    else if (this.#mayWriteAtOnce()) send();
    else this.#startWaiting(teamId, [send]);
  }

  /** Returns whether writes of a team wait. More events are better published together once they are made. */
  isBusy(teamId: number): boolean {
    return this.#waiting.has(teamId);
  }

  #startWaiting(teamId: number, waiting: (() => void)[]): void {
    this.#waiting.set(teamId, waiting);
    let index = 0;
    void this.#slices.run(teamId, (endsAt) => {
      do waiting[index++]?.();
      while (index < waiting.length && performance.now() < endsAt);
      if (index < waiting.length) return false;
      this.#waiting.delete(teamId);
      return true;
    });
  }

  #mayWriteAtOnce(): boolean {
    if (this.#count === 0) setImmediate(() => (this.#count = 0));
    return ++this.#count <= immediateWrites;
  }
}
