import type { GroupedFrame } from './grouped-frame.ts';
import type { Wording } from './text-part.ts';
import { messageTemplate } from './message-template.ts';
import { stringsNear, throwsItself } from './source-line.ts';

/**
 * Whether this frame only throws what others word (`invariant(user, 'no user')`): then the caller is the place too.
 * Known by the message: fewer than half of its words stand in a string near the throw.
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
