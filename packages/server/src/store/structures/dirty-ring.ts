/** Number of changes that are remembered. A reader that is further behind must rebuild from all groups. */
const capacity = 2 ** 16;

/** The most recently changed slots. Data derived from groups is updated from it on use. */
export class DirtyRing {
  readonly #slots = new Int32Array(capacity);
  /** Number of all changes so far. */
  count = 0;

  add(slot: number): void {
    this.#slots[this.count % capacity] = slot;
    this.count++;
  }

  /** Returns whether all changes since the given `count` are remembered. */
  reachesBackTo(count: number): boolean {
    return this.count - count <= capacity;
  }

  /** Returns the slot of one change. `index` counts all changes so far. */
  at(index: number): number {
    return this.#slots[index % capacity] ?? 0;
  }
}
