/**
 * Makes untrusted text safe to store, send and show. Line ends become newlines. Other control characters except the tab
 * are removed: databases and providers reject NUL, and the others are not visible. Lone surrogates, which UTF-8 can't
 * encode, become U+FFFD.
 */
export function plainText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '');
}
