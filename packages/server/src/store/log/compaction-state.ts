import type { Entry } from '../records/entry.ts';

/** Tracks which part of the log is garbage, for compaction. */
export class CompactionState {
  /** Number of the first batch in the log. */
  firstNumber = 1;
  /** The first batch of the last compaction: all earlier batches may be dropped. 0 if the log was never compacted. */
  generation = 0;
  /**
   * Set while the log still contains bytes of removed data. `number` is the batch of the last removal, `at` the time of
   * the first one.
   */
  removal: { number: number; at: number } | null = null;
  /** Reports since the last compaction: a start has to count each of them again. */
  reports = 0;

  /** Applies an entry of the batch with this number. `at` is the time of the entry, 0 if it is not known. */
  apply(entry: Entry, number: number, at: number): void {
    switch (entry.kind) {
      case 'report':
      case 'opening':
        this.reports++;
        break;
      case 'remove':
        // Of the tables, only projects and users contain data that has to disappear from the disk after a removal.
        if (entry.table === 'projects' || entry.table === 'users') this.#applyRemoval(number, at);
        break;
      case 'group.remove':
        this.#applyRemoval(number, at);
        break;
      case 'generation':
        this.generation = entry.first;
        this.reports = 0;
        if (this.removal && this.removal.number < entry.first) this.removal = null;
        break;
      default:
    }
  }

  #applyRemoval(number: number, at: number): void {
    this.removal = { number, at: this.removal?.at ?? at };
  }
}
