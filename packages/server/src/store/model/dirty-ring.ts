/** How many changes are stored. A reader that is further behind has to start over. */
const capacity = 2 ** 16;

/** A ring of the slots that changed last. Lists and filters are updated from it when they are used. */
export class DirtyRing {
  readonly #slots = new Int32Array(capacity);
  /** Changes there have been. */
  count = 0;

  add(slot: number): void {
    this.#slots[this.count % capacity] = slot;
    this.count++;
  }

  /** Whether the changes since there were `count` are all remembered. */
  reachesBackTo(count: number): boolean {
    return this.count - count <= capacity;
  }

  /** The slot of one change; `index` counts all there have been. */
  at(index: number): number {
    return this.#slots[index % capacity] ?? 0;
  }
}
