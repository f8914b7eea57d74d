import { createHash } from 'node:crypto';
import type { Model } from '../store/model/model.ts';
import { historySetting } from '../store/records/records.ts';

const cursorPattern = /^([\da-f]{8})-(\d{1,15})$/;

/**
 * Formats and parses event ids. An id names the last batch of the log that the client has received completely. Its
 * prefix identifies the history of the storage: the same batch number means something else in another storage, after
 * the log was started again, or after a backup was restored.
 */
export class EventCursors {
  readonly #historyMark: string;

  constructor({ tables }: Model) {
    const secret = tables.settings.get('signing_key')?.value ?? '';
    const history = tables.settings.get(historySetting)?.value ?? '';
    this.#historyMark = createHash('sha256').update(`stream ${secret}${history}`).digest('hex').slice(0, 8);
  }

  format(batch: number): string {
    return `${this.#historyMark}-${batch}`;
  }

  /** Returns the batch of an id, or null if the id is not a cursor of this storage. */
  parse(id: string): number | null {
    const [, historyMark, batch] = cursorPattern.exec(id) ?? [];
    return historyMark === this.#historyMark ? Number(batch) : null;
  }
}
