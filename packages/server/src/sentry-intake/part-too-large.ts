import { ProblemError } from '../problem.ts';

export function partTooLarge(limitBytes: number): ProblemError {
  return new ProblemError('payload_too_large', `The body has a part of more than ${limitBytes} bytes.`);
}
