import type { GroupTable } from './group-table.ts';
import { Bitset } from './bitset.ts';

/** Says whether a group belongs to a filter. */
export type SlotTest = (slot: number) => boolean;

/**
 * The groups that pass one test, kept for the next who asks. Brought up to date when it is used, by testing the groups
 * that changed since.
 */
export class CachedFilter {
  readonly #table: GroupTable;
  readonly #test: SlotTest;
  readonly #findAll: (() => Bitset) | undefined;
  #set = new Bitset(0);
  #upTo = -1;

  /** `findAll` is a quicker way than to test every group. */
  constructor(table: GroupTable, test: SlotTest, findAll?: () => Bitset) {
    this.#table = table;
    this.#test = test;
    this.#findAll = findAll;
  }

  /** Good until the table changes. */
  slots(): Bitset {
    const { changes, columns } = this.#table;
    const behind = changes.count - this.#upTo;
    if (this.#upTo < 0 || !changes.reachesBackTo(this.#upTo) || behind > columns.length) {
      this.#set = this.#findAll?.() ?? this.#testAll();
    } else {
      for (let index = this.#upTo; index < changes.count; index++) {
        const slot = changes.at(index);
        this.#set.set(slot, columns.ids[slot] !== 0 && this.#test(slot));
      }
    }
    this.#upTo = changes.count;
    return this.#set;
  }

  #testAll(): Bitset {
    const { columns } = this.#table;
    const set = new Bitset(columns.length);
    for (let slot = 0; slot < columns.length; slot++) {
      if (columns.ids[slot] !== 0 && this.#test(slot)) set.set(slot, true);
    }
    return set;
  }
}
