/** The outcome of a test message: null if it was delivered. */
export type TestMessageOutcome = { error: unknown } | null;

/** The message was neither delivered nor rejected in time. */
export class NotConfirmedError extends Error {
  override readonly name = 'NotConfirmedError';
}

/** Lets the caller who requested a test message wait for its outcome. */
export class TestMessageOutcomes {
  readonly #pending = new Map<number, (outcome: TestMessageOutcome) => void>();

  /**
   * Resolves with the outcome of a queued message, or with a NotConfirmedError after `timeoutMs`. Must be called inside
   * the transaction that queues the message, because the message may be delivered as soon as the transaction ends.
   */
  of(id: number, timeoutMs: number): Promise<TestMessageOutcome> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#notConfirmed(id), timeoutMs).unref();
      this.#pending.set(id, (outcome) => {
        clearTimeout(timer);
        this.#pending.delete(id);
        resolve(outcome);
      });
    });
  }

  settle(id: number, outcome: TestMessageOutcome): void {
    this.#pending.get(id)?.(outcome);
  }

  /** Resolves all pending outcomes as not confirmed, because the server stops. */
  close(): void {
    for (const id of this.#pending.keys()) this.#notConfirmed(id);
  }

  #notConfirmed(id: number): void {
    this.settle(id, { error: new NotConfirmedError('The message was neither delivered nor rejected in time.') });
  }
}
