import { truncationMark } from '@service/protocol';
import { truncate } from '../text/truncate.ts';

/** The first `limit` characters with the mark behind them, or the text itself if it is no longer. Never ends inside a surrogate pair. */
export function truncateText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return truncate(text, limit) + truncationMark;
}
