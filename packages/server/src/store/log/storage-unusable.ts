import { UnusableStorageError } from './storage-errors.ts';

/** Wraps an error of a driver, which can be of any type and length, into one line for the operator. */
export function storageUnusable(name: string, error: unknown): UnusableStorageError {
  const { message, code } = error as NodeJS.ErrnoException;
  const reason = (message || code || String(error)).split('\n')[0];
  return new UnusableStorageError(`The storage ${name} can't be used (${reason}).`, { cause: error });
}
