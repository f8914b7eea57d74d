import type { EventCursors } from './event-cursor.ts';

/*
 * What goes over the wire. Readers who listen to the same get the very same bytes, so a text is encoded once.
 */

/** Bytes to send, and how many events they are. */
export interface Frames {
  bytes: Buffer;
  events: number;
}

/** An event to send: its data, and the batch after which what it tells of has come. */
export interface Framed {
  text: string;
  after: number;
}

/**
 * Events one behind the other, after which a reader knows all up to a position. The id of each says how far it would know
 * all if it was cut off right behind it: not past what the events behind it tell of.
 */
export function eventFrames(events: readonly Framed[], position: number, positions: EventCursors): Frames {
  const frames: string[] = [];
  let known = position;
  for (const { text, after } of events.toReversed()) {
    frames.push(`id: ${positions.write(known)}\ndata: ${text}\n\n`);
    known = Math.min(known, after);
  }
  return { bytes: encode(frames.toReversed().join('')), events: events.length };
}

/** How a stream begins. A reader that comes for the first time learns where it stands, should it be cut off before any event. */
export function opening(position: string | null): Buffer {
  return encode(`retry: 1000\n: what happens, as it happens\n${position === null ? '' : `id: ${position}\n`}\n`);
}

/** A sign of life. It also tells how far a reader has come while there was nothing to tell it. */
export function heartbeat(position: string): Buffer {
  return encode(`:\nid: ${position}\n\n`);
}

/** Not in a part of a larger buffer: what one slow reader waits for would hold on to all of it. */
function encode(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
