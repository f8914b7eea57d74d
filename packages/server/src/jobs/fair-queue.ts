import { ProblemError } from '../problem.ts';

/** Work that starts in one iteration of the event loop. Requests of others are read between two iterations. */
const iterationMs = 4;
/** Reports of one project that wait, and their bytes. Further ones are rejected. */
const maxWaiting = 10_000;
const maxWaitingBytes = 16 * 1024 * 1024;
const waitingRetrySeconds = 5;

interface Queue {
  waiting: { bytes: number; start: () => void }[];
  bytes: number;
}

/**
 * Serves projects round robin when reports arrive faster than they can be handled. As long as the server keeps up, a
 * report starts immediately. Otherwise it waits, and each waiting project starts one report after the other: one that
 * sends a thousand reports delays the next report of another one by a single report.
 */
export class FairQueue {
  /** Number of reports that were rejected because too many of their project were waiting. */
  rejectedCount = 0;
  readonly #now: () => number;
  /** Waiting reports by project. The project that was served last is last. */
  readonly #queues = new Map<number, Queue>();
  #isScheduled = false;
  /** Until when work may start in this iteration of the event loop: milliseconds of `#now`. */
  #endsAt = -Infinity;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Runs work for a project as soon as the others allow. `findProjectId` is called only if the work has to wait. `bytes` is
   * the memory that it holds. Rejects with `overloaded`. `work` rejects instead of throwing.
   */
  run<Result>(findProjectId: () => number, bytes: number, work: () => Promise<Result>): Promise<Result> {
    if (this.#queues.size === 0 && this.#hasTimeLeft()) return work();
    const projectId = findProjectId();
    const queue = this.#queues.get(projectId) ?? { waiting: [], bytes: 0 };
    if (queue.waiting.length >= maxWaiting || queue.bytes + bytes > maxWaitingBytes) {
      this.rejectedCount++;
      return Promise.reject(tooManyWaiting());
    }
    this.#queues.set(projectId, queue);
    this.#schedule();
    queue.bytes += bytes;
    return new Promise((resolve) => queue.waiting.push({ bytes, start: () => resolve(work()) }));
  }

  /** Returns whether this iteration has time left. Its first call starts the time. */
  #hasTimeLeft(): boolean {
    const now = this.#now();
    if (!this.#isScheduled) {
      this.#endsAt = now + iterationMs;
      this.#schedule();
    }
    return now < this.#endsAt;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#startWaiting());
  }

  #startWaiting(): void {
    this.#isScheduled = false;
    const endsAt = this.#now() + iterationMs;
    while (this.#queues.size > 0 && this.#now() < endsAt) this.#startNext();
    if (this.#queues.size > 0) this.#schedule();
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
