/** The stored index of a map cannot be read: it is missing, or differs from what was written. */
export class DamagedIndexError extends Error {
  override readonly name: string = 'DamagedIndexError';

  constructor(reason: string, options?: ErrorOptions) {
    super(`The index of a source map is damaged: ${reason}.`, options);
  }
}

/**
 * The storage has failed to return the index for too long, so reports no longer wait for it. The index may be intact.
 */
export class UnreadableIndexError extends DamagedIndexError {
  override readonly name = 'UnreadableIndexError';

  constructor(cause: unknown) {
    super('the storage cannot read it', { cause });
  }
}
