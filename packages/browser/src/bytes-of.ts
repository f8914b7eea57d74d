/** How many bytes a text takes as UTF-8. Not by a Blob, which browsers hand to another process: that takes 100 times as long. */
export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
