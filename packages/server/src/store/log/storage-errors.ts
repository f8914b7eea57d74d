/** Thrown by an append if another server has appended a batch of this number. */
export class BatchTakenError extends Error {
  override readonly name = 'BatchTakenError';
}

/** Thrown by an append if another server holds the log, which alone may append. */
export class NotHolderError extends Error {
  override readonly name = 'NotHolderError';
}

/** Thrown if the storage holds data that this program did not write, or that has changed since. Stops the start. */
export class DamagedStorageError extends Error {
  override readonly name = 'DamagedStorageError';
}

/** Thrown if the storage can't be used, or not with its configuration. One line for the operator. Stops the start. */
export class UnusableStorageError extends Error {
  override readonly name = 'UnusableStorageError';
}
