import { createHash } from 'node:crypto';
import type { Model } from '../store/model/model.ts';
import { historySetting } from '../store/records/records.ts';

const form = /^([\da-f]{8})-(\d{1,15})$/;

/**
 * Ids of events: a batch of the log up to which all was told. The mark before it belongs to the storage, for the same
 * batch of another one, of one that was begun anew, or that a backup was put into, says something else.
 */
export class EventCursors {
  readonly #mark: string;

  constructor({ tables }: Model) {
    const secret = tables.settings.get('signing_key')?.value ?? '';
    const history = tables.settings.get(historySetting)?.value ?? '';
    this.#mark = createHash('sha256').update(`stream ${secret}${history}`).digest('hex').slice(0, 8);
  }

  write(batch: number): string {
    return `${this.#mark}-${batch}`;
  }

  /** Null for what is no position of this storage. */
  read(id: string): number | null {
    const [, mark, batch] = form.exec(id) ?? [];
    return mark === this.#mark ? Number(batch) : null;
  }
}
