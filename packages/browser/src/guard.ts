import { warn } from './warn.ts';

/**
 * Wraps a function so that it never throws: an error becomes a warning, because the SDK must not break the page.
 * Passes three parameters at most: a rest parameter would allocate a list on each call.
 */
export function guard<Args extends [a?: unknown, b?: unknown, c?: unknown], Result>(
  run: (...args: Args) => Result,
): (...args: Args) => Result | undefined {
  return (a?: unknown, b?: unknown, c?: unknown) => {
    try {
      return (run as (...args: unknown[]) => Result)(a, b, c);
    } catch (error) {
      warn('5: Check', error);
    }
  };
}
