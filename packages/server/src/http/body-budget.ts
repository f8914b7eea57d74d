import { ProblemError } from '../problem.ts';

/**
 * Limits the memory of all request bodies that are being received or handled. Above the limit, the largest incomplete
 * body is rejected: a client that sends slowly, or much, is rejected before one that sends a small report.
 */
export class BodyBudget {
  readonly #maxBytes: number;
  #heldBytes = 0;
  /** In any order. An array, because every request is added and removed, which leaves no garbage in an array. */
  readonly #incomplete: HeldBody[] = [];

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Begins a body without bytes, which the caller releases. If the budget calls `reject`, it has released the body. */
  hold(reject: (error: ProblemError) => void): HeldBody {
    const held = new HeldBody(this, reject);
    held.index = this.#incomplete.push(held) - 1;
    return held;
  }

  /** Counts bytes of a body. Call `HeldBody.add` instead. */
  count(bytes: number): void {
    this.#heldBytes += bytes;
    while (this.#heldBytes > this.#maxBytes && this.#incomplete.length > 0) this.#rejectLargest();
  }

  /** Removes a body from those that can be rejected. Call `HeldBody.complete` instead. */
  remove(held: HeldBody): void {
    if (held.index === -1) return;
    const last = this.#incomplete.pop();
    if (last && last !== held) {
      this.#incomplete[held.index] = last;
      last.index = held.index;
    }
    held.index = -1;
  }

  #rejectLargest(): void {
    const largest = this.#incomplete.reduce((max, held) => (held.bytes > max.bytes ? held : max));
    largest.release();
    largest.reject(tooManyBodies());
  }
}

/** The part of the budget that one body holds. */
export class HeldBody {
  bytes = 0;
  /** Its index among the incomplete bodies, or -1. */
  index = -1;
  readonly reject: (error: ProblemError) => void;
  readonly #budget: BodyBudget;
  #isReleased = false;

  constructor(budget: BodyBudget, reject: (error: ProblemError) => void) {
    this.#budget = budget;
    this.reject = reject;
  }

  /** Counts more bytes. If the budget is exceeded, the largest incomplete body is rejected, which may be this one. */
  add(bytes: number): void {
    if (this.#isReleased) return;
    this.bytes += bytes;
    this.#budget.count(bytes);
  }

  /** Marks the body as complete: the server handles it and no longer rejects it. */
  complete(): void {
    this.#budget.remove(this);
  }

  /** Gives the bytes back to the budget. Later calls have no effect. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#budget.remove(this);
    this.#budget.count(-this.bytes);
  }
}

function tooManyBodies(): ProblemError {
  return new ProblemError('overloaded', 'The server is receiving too much data. Try again later.', {
    retryAfterSeconds: 5,
  });
}

/** The budget of this process: its memory is shared by all servers that it embeds. */
export const bodyBudget = new BodyBudget(32 * 1024 * 1024);
