/** So many are remembered: who lags further behind has to look at everything anew. */
const capacity = 2 ** 16;

/** A journal of slots that were touched. What is derived from groups is brought up to date from it when it is used. */
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
