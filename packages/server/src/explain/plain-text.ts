/**
 * Returns a text of strangers as it may be stored, sent and shown. Lines end in a newline; other control characters than the
 * tab are removed, for databases and providers refuse NUL. Lone surrogates, which UTF-8 can't hold, become U+FFFD.
 */
export function plainText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '');
}
