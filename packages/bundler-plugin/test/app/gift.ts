/** Loaded on demand. */
export function wrap(sheets: number): string {
  if (sheets < 1) throw new RangeError('No gift wrap is left');
  return '#'.repeat(sheets);
}
