import { ProblemError } from '../problem.ts';

/** Work that starts in one turn of the event loop. Requests of others are read between two turns. */
const turnMs = 4;
/** Reports of one project that wait, and their bytes. Further ones are rejected. */
const maxWaiting = 1_000;
const maxWaitingBytes = 4 * 1024 * 1024;
const waitingRetrySeconds = 5;

interface Queue {
  waiting: { bytes: number; start: () => void }[];
  bytes: number;
}

/**
 * Lets projects take turns when reports arrive faster than they can be handled. As long as the server keeps up, a
 * report starts immediately. Otherwise it waits, and the projects that wait are served in turns: one that sends a
 * thousand reports delays the next report of another one by a single report. A project alone has all turns.
 */
export class FairTurns {
  /** Number of reports that were rejected because too many of their project were waiting. */
  rejectedCount = 0;
  readonly #now: () => number;
  /** Waiting reports by project. The project that had the last turn is last. */
  readonly #queues = new Map<number, Queue>();
  #isTurnScheduled = false;
  /** Until when work may start in this turn of the event loop: milliseconds of `#now`. */
  #turnEndsAt = -Infinity;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Runs work for a project when it is its turn. `bytes` is the memory that it holds. Rejects with `overloaded`.
   * `work` rejects instead of throwing.
   */
  run<Result>(projectId: number, bytes: number, work: () => Promise<Result>): Promise<Result> {
    if (this.#queues.size === 0 && this.#hasTimeLeft()) return work();
    const queue = this.#queues.get(projectId) ?? { waiting: [], bytes: 0 };
    if (queue.waiting.length >= maxWaiting || queue.bytes + bytes > maxWaitingBytes) {
      this.rejectedCount++;
      return Promise.reject(tooManyWaiting());
    }
    this.#queues.set(projectId, queue);
    this.#scheduleTurn();
    queue.bytes += bytes;
    return new Promise((resolve) => queue.waiting.push({ bytes, start: () => resolve(work()) }));
  }

  /** Returns whether this turn has time left. The first call in a turn begins it. */
  #hasTimeLeft(): boolean {
    const now = this.#now();
    if (!this.#isTurnScheduled) {
      this.#turnEndsAt = now + turnMs;
      this.#scheduleTurn();
    }
    return now < this.#turnEndsAt;
  }

  #scheduleTurn(): void {
    if (this.#isTurnScheduled) return;
    this.#isTurnScheduled = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#isTurnScheduled = false;
    const endsAt = this.#now() + turnMs;
    while (this.#queues.size > 0 && this.#now() < endsAt) this.#startNext();
    if (this.#queues.size > 0) this.#scheduleTurn();
  }

  #startNext(): void {
    for (const [projectId, queue] of this.#queues) {
      const next = queue.waiting.shift();
      this.#queues.delete(projectId);
      if (queue.waiting.length > 0) this.#queues.set(projectId, queue);
      queue.bytes -= next?.bytes ?? 0;
      next?.start();
      return;
    }
  }
}

function tooManyWaiting(): ProblemError {
  return new ProblemError('overloaded', 'Too many reports of this project are waiting. Try again later.', {
    retryAfterSeconds: waitingRetrySeconds,
  });
}
