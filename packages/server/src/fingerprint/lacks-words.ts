import type { GroupedFrame } from './grouped-frame.ts';
import { messageTemplate } from './message-template.ts';
import { stringsNear } from './source-line.ts';

/** Returns whether strings in the source near a frame have fewer than half of the words of a message. */
export function lacksWords(frame: GroupedFrame, message: string): boolean {
  const words = messageTemplate(message)
    .replaceAll(/<[\w:-]+>/g, ' ')
    .match(/\p{L}{3,}/gu);
  if (words === null) return false;
  const written = stringsNear(frame);
  const found = words.filter((word) => written.includes(word));
  return found.length * 2 < words.length;
}
