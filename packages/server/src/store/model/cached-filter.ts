import type { GroupTable } from './group-table.ts';
import { Bitset } from '../structures/bitset.ts';

/** Returns whether the group in a slot matches a filter. */
export type SlotTest = (slot: number) => boolean;

/** Groups that are tested in one step. */
const slotsInStep = 256;

/** The first test of all groups. */
interface FirstRound {
  set: Bitset;
  steps: Generator<void>;
  /** Number of table changes when the round began. */
  upTo: number;
}

/**
 * Caches the groups that match one filter. The first use tests all groups. Each later one tests those that have changed
 * since the last use, or all if too much has changed.
 */
export class CachedFilter {
  readonly #table: GroupTable;
  readonly #test: SlotTest;
  readonly #findAll: ((found: Bitset) => Generator<void>) | undefined;
  #set = new Bitset(0);
  #upTo = -1;
  #firstRound: FirstRound | null = null;

  /** `findAll` finds all matches faster than testing every group, in short steps. */
  constructor(table: GroupTable, test: SlotTest, findAll?: (found: Bitset) => Generator<void>) {
    this.#table = table;
    this.#test = test;
    this.#findAll = findAll;
  }

  /**
   * Tests groups until a time of `performance.now()`. Returns true once all groups are tested, except those that have
   * changed since the first test began.
   */
  prepareSlice(end: number): boolean {
    const { changes, columns } = this.#table;
    if (this.#upTo >= 0 && this.#isInReach(this.#upTo)) return true;
    if (!this.#firstRound || !changes.reachesBackTo(this.#firstRound.upTo)) {
      const set = new Bitset(columns.length);
      this.#firstRound = { set, steps: this.#findAll?.(set) ?? this.#testAll(set), upTo: changes.count };
    }
    const { set, steps, upTo } = this.#firstRound;
    do
      if (steps.next().done) {
        this.#set = set;
        this.#upTo = upTo;
        this.#firstRound = null;
        return true;
      }
    while (performance.now() < end);
    return false;
  }

  /** Returns the matching slots, after `prepareSlice` returned true. Valid until the table changes. */
  slots(): Bitset {
    const { changes, columns } = this.#table;
    while (!this.#isInReach(this.#upTo)) this.prepareSlice(Infinity);
    for (let index = this.#upTo; index < changes.count; index++) {
      const slot = changes.at(index);
      this.#set.set(slot, columns.ids[slot] !== 0 && this.#test(slot));
    }
    this.#upTo = changes.count;
    return this.#set;
  }

  /**
   * Returns whether the changes since then are known, and no more than there are slots: testing all groups would take
   * longer.
   */
  #isInReach(upTo: number): boolean {
    const { changes, columns } = this.#table;
    return upTo >= 0 && changes.reachesBackTo(upTo) && changes.count - upTo <= columns.length;
  }

  *#testAll(set: Bitset): Generator<void> {
    const { columns } = this.#table;
    for (let slot = 0; slot < columns.length; slot++) {
      if (columns.ids[slot] !== 0 && this.#test(slot)) set.set(slot, true);
      if (slot % slotsInStep === slotsInStep - 1) yield;
    }
  }
}
