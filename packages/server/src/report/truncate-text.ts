import { truncationMark } from '@service/protocol';
import { truncate } from '../text/truncate.ts';

/**
 * Returns the first `limit` characters and the truncation mark, or the whole text if it is not longer than that.
 * Never splits a surrogate pair.
 */
export function truncateText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return truncate(text, limit) + truncationMark;
}
