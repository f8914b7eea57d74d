import { warn } from './warn.ts';

/** The same function, but what it throws becomes a warning: nothing of ours may break the page. */
export function guard<Args extends unknown[], Result>(
  run: (...args: Args) => Result,
): (...args: Args) => Result | undefined {
  return (...args) => {
    try {
      return run(...args);
    } catch (error) {
      warn('5: Check', error);
    }
  };
}
