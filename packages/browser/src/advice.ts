/**
 * Returns what to do about the warning with this number. Returns an empty text here: the `development` build replaces
 * this module by advice.development.ts.
 */
export function adviceFor(_warning: number): string {
  return '';
}
