import { ProblemError } from '../problem.ts';

const retryAfterSeconds = 5;

/** Identifies a lane: the id of a team or project, or the address of a client. */
type LaneId = number | string;

/**
 * Limits the number of expensive tasks that run concurrently. The others wait. Lanes, such as projects, take turns, so
 * that many tasks of one lane do not delay the other lanes for long. Within a lane, tasks run in the order of arrival.
 */
export class Semaphore {
  readonly #limit: number;
  readonly #maxWaiting: number;
  #running = 0;
  /** The lane that had the last turn. Other waiting lanes come before it. */
  #lastLane: LaneId | null = null;
  /** Waiting tasks by lane. A lane moves to the end after its turn. */
  readonly #waiting = new Map<LaneId, (() => void)[]>();
  #waitingCount = 0;

  constructor(maxConcurrent: number, maxWaiting = Infinity) {
    this.#limit = maxConcurrent;
    this.#maxWaiting = maxWaiting;
  }

  /** Returns whether the next task must wait, or is rejected. */
  get isFull(): boolean {
    return this.#running >= this.#limit;
  }

  /** Returns whether a task waits. */
  get hasWaiters(): boolean {
    return this.#waitingCount > 0;
  }

  /** Runs a task as soon as the limit allows. Rejects with `overloaded` if too many tasks are waiting. */
  async run<Result>(work: () => Promise<Result>, lane: LaneId = 0): Promise<Result> {
    const release = await this.acquire(lane);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Resolves with a function that releases the permit and must be called once. Rejects as `run` does. */
  async acquire(lane: LaneId = 0): Promise<() => void> {
    if (this.isFull) await this.#wait(lane);
    else {
      this.#running++;
      this.#lastLane = lane;
    }
    return () => {
      // The permit is handed to the next task instead of released, so that no later task overtakes it.
      const next = this.#next();
      if (next) next();
      else this.#running--;
    };
  }

  #next(): (() => void) | undefined {
    const lane = this.#nextLane();
    const waiting = lane === undefined ? undefined : this.#waiting.get(lane);
    if (lane === undefined || !waiting) return undefined;
    const next = waiting.shift();
    this.#waiting.delete(lane);
    if (waiting.length > 0) this.#waiting.set(lane, waiting);
    this.#waitingCount--;
    this.#lastLane = lane;
    return next;
  }

  #nextLane(): LaneId | undefined {
    const [first, second] = this.#waiting.keys();
    return first === this.#lastLane ? (second ?? first) : first;
  }

  #wait(lane: LaneId): Promise<void> {
    if (this.#waitingCount >= this.#maxWaiting)
      throw new ProblemError('overloaded', 'The server is overloaded. Try again in a few seconds.', {
        retryAfterSeconds,
      });
    const waiting = this.#waiting.get(lane) ?? [];
    this.#waiting.set(lane, waiting);
    this.#waitingCount++;
    return new Promise((resolve) => waiting.push(resolve));
  }
}
