import { truncationMark } from '@service/protocol';

/** The first `limit` characters with the mark behind them, or the text itself if it is no longer. Never ends inside a surrogate pair. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return head(text, limit) + truncationMark;
}

/** The first `limit` characters, without a mark. */
export function head(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  const endsInPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, endsInPair ? limit - 1 : limit);
}
