import { createHash } from 'node:crypto';
import type { Model } from '../store/model/model.ts';
import { historySetting } from '../store/records/setting-records.ts';

const cursorPattern = /^([\da-f]{8})-(\d{1,15})(?:-(\d{1,15}))?$/;

/**
 * What a client has received: batches of the log. A group is published at most every 250 ms, while other events are
 * sent soon. So a client can have events of newer batches than the last one of which it has all updates.
 */
export interface EventCursor {
  /** The client has the state of all groups up to this batch. */
  readonly updates: number;
  /** The client has all events of the event log up to this batch, which is never before `updates`. */
  readonly events: number;
}

/** Returns the cursor of a client that has everything up to a batch. */
export function cursorAt(batch: number): EventCursor {
  return { updates: batch, events: batch };
}

export function earlierCursor(one: EventCursor, other: EventCursor): EventCursor {
  return { updates: Math.min(one.updates, other.updates), events: Math.min(one.events, other.events) };
}

export function laterCursor(one: EventCursor, other: EventCursor): EventCursor {
  return { updates: Math.max(one.updates, other.updates), events: Math.max(one.events, other.events) };
}

/**
 * Formats and parses event ids. An id is a prefix and a cursor. The prefix identifies the history of the storage: the
 * same batch number means something else in another storage, after the log was started again, or after a backup was
 * restored.
 */
export class EventCursors {
  readonly #historyMark: string;

  constructor({ tables }: Model) {
    const secret = tables.settings.get('signing_key')?.value ?? '';
    const history = tables.settings.get(historySetting)?.value ?? '';
    this.#historyMark = createHash('sha256').update(`stream ${secret}${history}`).digest('hex').slice(0, 8);
  }

  format({ updates, events }: EventCursor): string {
    return `${this.#historyMark}-${updates}${events === updates ? '' : `-${events}`}`;
  }

  /** Returns the cursor of an id, or null if the id does not belong to this storage. */
  parse(id: string): EventCursor | null {
    const [, historyMark, first, second = first] = cursorPattern.exec(id) ?? [];
    const cursor = { updates: Number(first), events: Number(second) };
    return historyMark === this.#historyMark && cursor.updates <= cursor.events ? cursor : null;
  }
}
