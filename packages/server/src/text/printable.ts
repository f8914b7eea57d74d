/**
 * Returns untrusted text that is safe for a terminal or a log line. Characters that move the cursor, set colors or
 * reverse the text, and lone surrogates, become U+FFFD.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '\u{FFFD}');
}
