/**
 * Returns what to do about a warning, by its number. Empty here: the `development` build replaces this module by
 * advice.development.ts.
 */
export function advice(_number: number): string {
  return '';
}
