import type { Pattern } from './options.ts';

/** Whether one of the patterns is found in a text. One alone is taken for a list. */
export function fits(patterns: readonly Pattern[], text: string): boolean {
  return ([] as Pattern[]).concat(patterns).some((pattern) => text.replace(pattern, '$&\0') !== text);
}
