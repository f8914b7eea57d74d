import { earlierCursor, type EventCursor, type EventCursors } from './event-cursor.ts';

/**
 * Encoded bytes, and how many events they contain. Subscribers with the same filter share them: one encoding serves
 * all.
 */
export interface Frames {
  bytes: Buffer;
  events: number;
}

/** A serialized event. A client at the cursor `after` has received no part of the change that the event describes. */
export interface SerializedEvent {
  text: string;
  after: EventCursor;
}

/**
 * Encodes consecutive events. After the last one a client has received everything up to `cursor`. Each id is the
 * cursor to resume from if the connection breaks right after that event: it must not skip changes of later events.
 */
export function eventFrames(events: readonly SerializedEvent[], cursor: EventCursor, cursors: EventCursors): Frames {
  const frames: string[] = [];
  let resumeFrom = cursor;
  for (const { text, after } of events.toReversed()) {
    frames.push(`id: ${cursors.format(resumeFrom)}\ndata: ${text}\n\n`);
    resumeFrom = earlierCursor(resumeFrom, after);
  }
  return { bytes: encode(frames.toReversed().join('')), events: events.length };
}

/** Returns the first block of a stream. Its cursor serves a new client whose connection breaks before any event. */
export function openingFrame(cursor: string | null): Buffer {
  return encode(`retry: 1000\n: live events\n${cursor === null ? '' : `id: ${cursor}\n`}\n`);
}

/** Returns a comment that keeps the connection open. Its id moves the cursor of the client while no events are sent. */
export function heartbeatFrame(cursor: string): Buffer {
  return encode(`:\nid: ${cursor}\n\n`);
}

/** Allocates outside of Node's shared pool: bytes queued for one slow client would keep the whole pool alive. */
function encode(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
