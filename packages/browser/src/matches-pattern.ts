import type { Pattern } from './options.ts';

/** Returns whether a text matches one of the patterns. Accepts a single pattern in place of a list. */
export function matchesPattern(patterns: readonly Pattern[], text: string): boolean {
  return ([] as Pattern[]).concat(patterns).some((pattern) => text.replace(pattern, '$&\0') !== text);
}
