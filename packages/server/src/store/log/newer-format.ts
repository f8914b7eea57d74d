import { entryVersion } from '../records/entry.ts';
import { UnusableStorageError } from './storage-errors.ts';

const wayOut = 'Upgrade this server again, or restore a backup that this version made.';

/** Returns the error for data in a format that this server does not know yet. */
export function newerFormat(what: string, version: number): UnusableStorageError {
  return new UnusableStorageError(
    `${what} was written by a newer server (format ${version}, this one reads up to ${entryVersion}). ${wayOut}`,
  );
}

/** Returns the error for a part of an entry that this server does not know, although it knows the format. */
export function unknownPart(part: string): UnusableStorageError {
  return new UnusableStorageError(`The data has ${part}, so it was written by a newer server. ${wayOut}`);
}
