import type { GroupTable } from './group-table.ts';
import { Bitset } from '../structures/bitset.ts';

/** Returns whether the group in a slot matches a filter. */
export type SlotTest = (slot: number) => boolean;

/**
 * Caches the groups that match one filter. On use, it tests only the groups that have changed since the last use.
 */
export class CachedFilter {
  readonly #table: GroupTable;
  readonly #test: SlotTest;
  readonly #findAll: (() => Bitset) | undefined;
  #set = new Bitset(0);
  #upTo = -1;

  /** `findAll` finds all matches faster than testing every group. */
  constructor(table: GroupTable, test: SlotTest, findAll?: () => Bitset) {
    this.#table = table;
    this.#test = test;
    this.#findAll = findAll;
  }

  /** Returns the matching slots. Valid until the table changes. */
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
