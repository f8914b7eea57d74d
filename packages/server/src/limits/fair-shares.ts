/** Lanes whose time is remembered after their last work. */
const maxLanes = 10_000;

/**
 * Chooses among lanes so that each gets the same share of time, however long its work takes. A lane that did nothing
 * for a while gets no more than its share later.
 */
export class FairShares {
  /** The time that each lane has used, least recently charged first. A lane that was idle continues at `#time`. */
  readonly #used = new Map<number, number>();
  /** The time that the last chosen lane had used. */
  #time = 0;

  /** Returns the lane that has used the least time. Of equal ones, the first. */
  next(lanes: Iterable<number>): number {
    let chosen = Number.NaN;
    let least = Infinity;
    for (const lane of lanes) {
      const used = this.#usedBy(lane);
      if (used >= least) continue;
      chosen = lane;
      least = used;
    }
    this.#time = least;
    return chosen;
  }

  /** Counts the time of a lane's work. */
  charge(lane: number, ms: number): void {
    const used = this.#usedBy(lane) + ms;
    this.#used.delete(lane);
    this.#used.set(lane, used);
    if (this.#used.size > maxLanes) this.#forgetOldest();
  }

  #usedBy(lane: number): number {
    return Math.max(this.#time, this.#used.get(lane) ?? 0);
  }

  #forgetOldest(): void {
    for (const lane of this.#used.keys()) {
      this.#used.delete(lane);
      return;
    }
  }
}
