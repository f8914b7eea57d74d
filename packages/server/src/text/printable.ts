/** A stranger's text for a terminal or a line of the log, without what would move the cursor, colour it, or turn it round, and without lone surrogates. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '\u{FFFD}');
}
