/** Thrown by an append if another server has appended a batch of this number. */
export class BatchTakenError extends Error {
  override readonly name = 'BatchTakenError';
}

/** Thrown by an append if another server holds the log: only the holder may append. */
export class NotHolderError extends Error {
  override readonly name = 'NotHolderError';
}

/**
 * Thrown if the storage has data that this program did not write, or that has changed since. A start that reads such
 * data fails.
 */
export class DamagedStorageError extends Error {
  override readonly name = 'DamagedStorageError';
}

/**
 * Thrown if the storage can't be used: its configuration is wrong, another server uses it, or it has lost writes. A
 * start then fails. The message is one line for the operator.
 */
export class UnusableStorageError extends Error {
  override readonly name = 'UnusableStorageError';
}

/** Wraps an error of a driver, which can be of any type and length, into one line for the operator. */
export function storageUnusable(name: string, error: unknown): UnusableStorageError {
  const { message, code } = error as NodeJS.ErrnoException;
  const reason = (message || code || String(error)).split('\n')[0];
  return new UnusableStorageError(`The storage ${name} can't be used (${reason}).`, { cause: error });
}
