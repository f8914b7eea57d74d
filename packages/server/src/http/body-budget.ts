import { ProblemError } from '../problem.ts';

/** The part of the budget that one body holds. */
export interface HeldBody {
  /** Counts more bytes. If the budget is exceeded, the largest incomplete body is rejected, which may be this one. */
  add(bytes: number): void;
  /** Marks the body as complete: it is being handled, so it is not rejected any more. */
  complete(): void;
  /** Gives its bytes back. Later calls have no effect. */
  release(): void;
}

/**
 * Limits the memory of request bodies that are received or handled at a time, over all clients. Rejecting the largest
 * body protects the others: a client that sends slowly, or much, is rejected before one that sends a small report.
 */
export class BodyBudget {
  readonly #maxBytes: number;
  #heldBytes = 0;
  readonly #incomplete = new Map<HeldBody, { bytes: number; reject: (error: ProblemError) => void }>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Begins a body without bytes. `reject` ends its reception; the caller then releases it. */
  hold(reject: (error: ProblemError) => void): HeldBody {
    const state = { bytes: 0, reject };
    let isReleased = false;
    const held: HeldBody = {
      add: (bytes) => {
        if (isReleased) return;
        state.bytes += bytes;
        this.#heldBytes += bytes;
        if (this.#heldBytes > this.#maxBytes) this.#rejectLargest();
      },
      complete: () => void this.#incomplete.delete(held),
      release: () => {
        if (isReleased) return;
        isReleased = true;
        this.#incomplete.delete(held);
        this.#heldBytes -= state.bytes;
      },
    };
    this.#incomplete.set(held, state);
    return held;
  }

  #rejectLargest(): void {
    while (this.#heldBytes > this.#maxBytes) {
      let largest: [HeldBody, { bytes: number; reject: (error: ProblemError) => void }] | undefined;
      for (const entry of this.#incomplete) if (!largest || entry[1].bytes > largest[1].bytes) largest = entry;
      if (!largest) return;
      const [held, { reject }] = largest;
      held.release();
      reject(tooManyBodies());
    }
  }
}

function tooManyBodies(): ProblemError {
  return new ProblemError('overloaded', 'The server is receiving too much data. Try again later.', {
    retryAfterSeconds: 5,
  });
}

/** The budget of this process: its memory is shared by all servers that it embeds. */
export const bodyBudget = new BodyBudget(32 * 1024 * 1024);
