/** A file is not a valid source map. The message gives the reason as a sentence. */
export class InvalidMapError extends Error {
  override readonly name = 'InvalidMapError';
}

/** Returns the error for a file. The reason is a sentence about the file. */
export function invalidMap(reason: string, cause?: unknown): InvalidMapError {
  return new InvalidMapError(`The file is not a valid source map. ${reason}`, { cause });
}
