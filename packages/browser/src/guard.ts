import { warn } from './warn.ts';

/**
 * The same function, of at most three parameters, but what it throws becomes a warning: nothing of ours may break the page.
 * Not of any number, for a list of them takes time at each call.
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
