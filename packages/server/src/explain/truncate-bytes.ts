import { truncationMark } from '@service/protocol';

/** Returns the text cut to a number of bytes of UTF-8, with a mark if it was longer. No character is cut in two; lone surrogates become U+FFFD. */
export function cutBytes(text: string, mostBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= mostBytes) return text.toWellFormed();
  let end = mostBytes - Buffer.byteLength(truncationMark);
  // The bytes after the first one of a character begin with the bits 10.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end) + truncationMark;
}
