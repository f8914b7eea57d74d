import { classOf } from './normalize.ts';
import type { Pattern } from './options.ts';

/** Returns whether a text matches one of the patterns. Accepts a single pattern in place of a list. */
export function matchesPattern(patterns: readonly Pattern[], text: string): boolean {
  // `search` ignores the position that the flags g and y keep between calls of `test`. It accepts only a regular
  // expression here, because `search(undefined)` matches any text.
  return [patterns]
    .flat()
    .some((pattern) =>
      typeof pattern === 'string' ? text.includes(pattern) : classOf(pattern) === 'RegExp' && text.search(pattern) >= 0,
    );
}
