/**
 * Returns the line of a warning, which the `development` build extends by what to do: it replaces this module by
 * advice.development.ts.
 */
export function withAdvice(line: string): string {
  return line;
}
