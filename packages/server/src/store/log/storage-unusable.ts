import { UnusableStorageError } from './driver.ts';

/** A driver's own error, which may be long and of any kind, as one line. */
export function storageUnusable(name: string, error: unknown): UnusableStorageError {
  const { message, code } = error as NodeJS.ErrnoException;
  const reason = (message || code || String(error)).split('\n')[0];
  return new UnusableStorageError(`The storage ${name} can't be used (${reason}).`, { cause: error });
}
