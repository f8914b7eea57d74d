/** What became of a test message: null if it was taken, else what went wrong. */
export type TestOutcome = { error: unknown } | null;

/** The message is neither taken nor refused yet. */
export class NotConfirmedError extends Error {
  override readonly name = 'NotConfirmedError';
}

/** Lets the caller who asked for a test message wait for what becomes of it. */
export class TestOutcomes {
  readonly #pending = new Map<number, (outcome: TestOutcome) => void>();

  /**
   * Resolves with the outcome of a message of the outbox, or with a NotConfirmedError after `timeoutMs`. Call it in the
   * very decision that stores the message: a moment later the outcome may be there already.
   */
  of(id: number, timeoutMs: number): Promise<TestOutcome> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#notConfirmed(id), timeoutMs).unref();
      this.#pending.set(id, (outcome) => {
        clearTimeout(timer);
        this.#pending.delete(id);
        resolve(outcome);
      });
    });
  }

  settle(id: number, outcome: TestOutcome): void {
    this.#pending.get(id)?.(outcome);
  }

  /** Answers everyone who waits: the server stops. */
  close(): void {
    for (const id of this.#pending.keys()) this.#notConfirmed(id);
  }

  #notConfirmed(id: number): void {
    this.settle(id, { error: new NotConfirmedError('The message was neither taken nor refused yet.') });
  }
}
