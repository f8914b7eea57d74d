/** What is stored of a map can't be read: it is gone, or not as it was written. */
export class DamagedIndexError extends Error {
  override readonly name: string = 'DamagedIndexError';

  constructor(reason: string, options?: ErrorOptions) {
    super(`The index of a source map is damaged: ${reason}.`, options);
  }
}

/** The storage has failed to give it for so long that nobody waits for it any more. It may be whole. */
export class UnreadableIndexError extends DamagedIndexError {
  override readonly name = 'UnreadableIndexError';

  constructor(cause: unknown) {
    super('the storage does not give it', { cause });
  }
}
