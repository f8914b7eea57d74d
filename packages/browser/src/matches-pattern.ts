import type { Pattern } from './options.ts';

/** Returns whether a text matches one of the patterns. Accepts a single pattern in place of a list. */
export function matchesPattern(patterns: readonly Pattern[], text: string): boolean {
  // `search` ignores the position that the flags g and y keep between calls of `test`.
  return [patterns]
    .flat()
    .some((pattern) => (typeof pattern === 'string' ? text.includes(pattern) : text.search(pattern) >= 0));
}
