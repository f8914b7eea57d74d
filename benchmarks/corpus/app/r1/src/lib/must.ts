/** The value, which has to be there. */
export function must<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`Nothing is selected: ${what}`);
  return value;
}
