/** So many are remembered: who lags further behind has to look at everything anew. */
const remembered = 2 ** 16;

/** A journal of slots that were touched. What is derived from groups is brought up to date from it when it is used. */
export class DirtyRing {
  readonly #slots = new Int32Array(remembered);
  /** Changes there have been. */
  count = 0;

  note(slot: number): void {
    this.#slots[this.count % remembered] = slot;
    this.count++;
  }

  /** Whether the changes since there were `count` are all remembered. */
  reachesBackTo(count: number): boolean {
    return this.count - count <= remembered;
  }

  /** The slot of one change; `index` counts all there have been. */
  at(index: number): number {
    return this.#slots[index % remembered] ?? 0;
  }
}
