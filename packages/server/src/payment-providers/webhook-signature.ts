import { ProblemError } from '../problem.ts';

/** The maximum difference between the signed time and now. A larger one indicates a replayed event. */
export const toleranceSeconds = 300;

/** Throws `invalid_signature` if the time (seconds since 1970) is too old, too far ahead, or NaN. */
export function assertTimely(seconds: number, now: number): void {
  if (!(Math.abs(Math.floor(now / 1_000) - seconds) <= toleranceSeconds))
    throw new ProblemError(
      'invalid_signature',
      `The time of the signature is more than ${toleranceSeconds} seconds off, or missing.`,
    );
}

export function invalidSignature(): ProblemError {
  return new ProblemError('invalid_signature', 'The signature is missing or does not match the body.');
}
