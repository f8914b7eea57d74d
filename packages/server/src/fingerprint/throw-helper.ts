import type { GroupedFrame } from './grouped-frame.ts';
import type { Wording } from './text-part.ts';
import { messageTemplate } from './message-template.ts';
import { stringsNear, throwsItself } from './source-line.ts';

/**
 * Returns whether this frame only throws errors for others, as `invariant(user, 'no user')` does. The key then
 * contains the calling frame too. A frame is such a helper if strings near the throw contain fewer than half of the
 * words of the message.
 */
export function isThrowHelper(frame: GroupedFrame, { message }: Wording): boolean {
  if (throwsItself(frame) !== true) return false;
  const words = messageTemplate(message)
    .replaceAll(/<[\w:-]+>/g, ' ')
    .match(/\p{L}{3,}/gu);
  if (words === null) return false;
  const written = stringsNear(frame);
  const found = words.filter((word) => written.includes(word));
  return found.length * 2 < words.length;
}
