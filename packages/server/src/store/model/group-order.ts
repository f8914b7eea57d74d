import type { GroupQuery } from '@service/protocol';
import type { GroupColumns } from './group-columns.ts';
import type { GroupTable } from './group-table.ts';
import { sortSlots } from '../structures/sort-slots.ts';

export type SortKey = GroupQuery['sort'];

/**
 * The slots of all groups ordered by a column, then by id. On use, it removes the changed slots and inserts them again.
 * If many have changed, it sorts all slots.
 */
export class GroupOrder {
  readonly #table: GroupTable;
  readonly #key: SortKey;
  #slots: Int32Array = new Int32Array(0);
  #length = 0;
  /** Number of table changes that the order includes. -1 before the first sort. */
  #upTo = -1;
  #marks = new Uint8Array(0);

  constructor(table: GroupTable, key: SortKey) {
    this.#table = table;
    this.#key = key;
  }

  /** Returns the slots in ascending order. Valid until the table changes. */
  slots(): Int32Array {
    const { changes, size } = this.#table;
    const behind = changes.count - this.#upTo;
    if (this.#upTo < 0 || !changes.reachesBackTo(this.#upTo) || behind > 1_000 + size / 16) this.#sort();
    else if (behind > 0) this.#insert(this.#removeChanged());
    this.#upTo = changes.count;
    return this.#slots.subarray(0, this.#length);
  }

  #sort(): void {
    const { columns, size } = this.#table;
    const slots = new Int32Array(size);
    let length = 0;
    let isInOrder = true;
    for (let slot = 0, last = 0; slot < columns.length; slot++) {
      const id = columns.ids[slot] ?? 0;
      if (id === 0) continue;
      if (id < last) isInOrder = false;
      last = id;
      slots[length++] = slot;
    }
    this.#slots = sortSlots(isInOrder ? slots : sortSlots(slots, columns.ids), sortColumn(columns, this.#key));
    this.#length = length;
  }

  /** Removes the changed slots from the order. Returns those that must be inserted again. */
  #removeChanged(): number[] {
    const { changes, columns } = this.#table;
    if (this.#marks.length < columns.length) this.#marks = new Uint8Array(columns.ids.length);
    const marks = this.#marks;
    const changed: number[] = [];
    for (let index = this.#upTo; index < changes.count; index++) {
      const slot = changes.at(index);
      if (marks[slot] === 1) continue;
      marks[slot] = 1;
      changed.push(slot);
    }
    const slots = this.#slots;
    let length = 0;
    for (let index = 0; index < this.#length; index++) {
      const slot = slots[index] ?? 0;
      slots[length] = slot;
      // Avoids a branch that the CPU could not predict.
      length += 1 - (marks[slot] ?? 0);
    }
    this.#length = length;
    for (const slot of changed) marks[slot] = 0;
    return changed.filter((slot) => columns.ids[slot] !== 0);
  }

  #insert(changed: number[]): void {
    const compare = comparison(this.#table.columns, this.#key);
    changed.sort(compare);
    let end = this.#length;
    this.#length += changed.length;
    if (this.#length > this.#slots.length) {
      const larger = new Int32Array(Math.ceil(this.#length * 1.25));
      larger.set(this.#slots.subarray(0, end));
      this.#slots = larger;
    }
    const slots = this.#slots;
    // Insert the largest first, so that every slot after it moves to its final index at once.
    for (let left = changed.length; left > 0; left--) {
      const slot = changed[left - 1] ?? 0;
      let low = 0;
      for (let high = end; low < high;) {
        const middle = (low + high) >>> 1;
        if (compare(slots[middle] ?? 0, slot) < 0) low = middle + 1;
        else high = middle;
      }
      slots.copyWithin(low + left, low, end);
      slots[low + left - 1] = slot;
      end = low;
    }
  }
}

/** Returns a comparison by a column, ascending, then by id. */
export function comparison(columns: GroupColumns, key: SortKey): (a: number, b: number) => number {
  const { ids } = columns;
  const column = sortColumn(columns, key);
  return (a, b) => (column[a] ?? 0) - (column[b] ?? 0) || (ids[a] ?? 0) - (ids[b] ?? 0);
}

function sortColumn(columns: GroupColumns, key: SortKey): Float64Array | Uint32Array {
  switch (key) {
    case 'last_seen':
      return columns.lastSeen;
    case 'first_seen':
      return columns.firstSeen;
    case 'count':
      return columns.counts;
    case 'users':
      return columns.users;
  }
}
