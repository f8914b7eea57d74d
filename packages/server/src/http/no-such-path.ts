import { ProblemError } from '../problem.ts';

/** Throws `not_found` for a path without a route. */
export function noSuchPath(): never {
  throw new ProblemError('not_found', 'There is nothing at this path.');
}
