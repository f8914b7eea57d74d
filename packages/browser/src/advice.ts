/**
 * Returns what to do about a warning, which is given by its number. Empty here: the `development` build replaces this
 * module by advice.development.ts.
 */
export function adviceFor(_warning: number): string {
  return '';
}
