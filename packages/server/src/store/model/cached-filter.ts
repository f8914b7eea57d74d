import type { GroupTable } from './group-table.ts';
import { SlotSet } from './bitset.ts';

/** Says whether a group belongs to a filter. */
export type SlotTest = (slot: number) => boolean;

/**
 * The groups that pass one test, kept for the next who asks. Brought up to date when it is used, by testing the groups
 * that changed since.
 */
export class KeptFilter {
  readonly #table: GroupTable;
  readonly #test: SlotTest;
  readonly #findAll: (() => SlotSet) | undefined;
  #set = new SlotSet(0);
  #upTo = -1;

  /** `findAll` is a quicker way than to test every group. */
  constructor(table: GroupTable, test: SlotTest, findAll?: () => SlotSet) {
    this.#table = table;
    this.#test = test;
    this.#findAll = findAll;
  }

  /** Good until the table changes. */
  slots(): SlotSet {
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

  #testAll(): SlotSet {
    const { columns } = this.#table;
    const set = new SlotSet(columns.length);
    for (let slot = 0; slot < columns.length; slot++) {
      if (columns.ids[slot] !== 0 && this.#test(slot)) set.set(slot, true);
    }
    return set;
  }
}
