import type { GroupTable } from './group-table.ts';

/** Keeps an index of groups up to date: first with all of them, then with those that have changed, in short slices. */
export class SlicedUpdate {
  readonly #table: GroupTable;
  readonly #update: (slot: number) => void;
  /** The next slot of the first round over all groups, and the number of changes that the index has. */
  #next = 0;
  #upTo: number;

  /** `update` reads the group of a slot, or finds that it was removed. */
  constructor(table: GroupTable, update: (slot: number) => void) {
    this.#table = table;
    this.#update = update;
    this.#upTo = table.changes.count;
  }

  /**
   * Updates the index until a time of `performance.now()`. Returns true once it is up to date, which it is until the
   * table changes.
   */
  runSlice(end: number): boolean {
    const { changes, columns } = this.#table;
    if (!changes.reachesBackTo(this.#upTo)) {
      this.#next = 0;
      this.#upTo = changes.count;
    }
    for (let done = 1; this.#next < columns.length; done++) {
      this.#update(this.#next++);
      if (done % 64 === 0 && performance.now() > end) return false;
    }
    for (let done = 1; this.#upTo < changes.count; done++) {
      this.#update(changes.at(this.#upTo++));
      if (done % 64 === 0 && performance.now() > end) return false;
    }
    return true;
  }
}
