/** Returns the first `limit` UTF-16 units of a text, without an ellipsis. Never splits a surrogate pair. */
export function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  const endsInPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, endsInPair ? limit - 1 : limit);
}
