import { truncationMark } from '@service/protocol';

/**
 * Truncates a text to a number of bytes of UTF-8, between characters, and appends a mark if it was longer. Lone
 * surrogates become U+FFFD.
 */
export function truncateBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text.toWellFormed();
  let end = maxBytes - Buffer.byteLength(truncationMark);
  // The bytes after the first one of a character begin with the bits 10.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end) + truncationMark;
}
