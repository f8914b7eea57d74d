/** What is stored of a map can't be read: it is gone, or not as it was written. */
export class DamagedIndexError extends Error {
  override readonly name = 'DamagedIndexError';

  constructor(reason: string, options?: ErrorOptions) {
    super(`The index of a source map is damaged: ${reason}.`, options);
  }
}
