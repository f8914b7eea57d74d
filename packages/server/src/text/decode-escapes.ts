/**
 * Decodes the escapes of URLs that a global pattern matches. A match stays if its bytes are not UTF-8, or if
 * `isUnwanted` returns true for its text.
 */
export function decodeEscapes(
  text: string,
  escapes: RegExp,
  isUnwanted: (decoded: string) => boolean = () => false,
): string {
  if (!text.includes('%')) return text;
  return text.replace(escapes, (match) => {
    try {
      const decoded = decodeURIComponent(match);
      return isUnwanted(decoded) ? match : decoded;
    } catch {
      return match;
    }
  });
}
