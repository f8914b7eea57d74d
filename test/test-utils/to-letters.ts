/** Spells a number in letters. Grouping ignores digits, so messages that differ only in digits share a group. */
export function toLetters(number: number): string {
  return String(number).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '');
}
