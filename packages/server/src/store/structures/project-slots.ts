const initialLength = 256;
/** Marks the end of a list. Slots are stored plus 1, so that a new array is a set of ends. */
const endOfSlots = 0;

/** The slots of each project, as linked lists: adding and removing one takes constant time. */
export class ProjectSlots {
  readonly #first = new Map<number, number>();
  #next = new Int32Array(initialLength);
  #previous = new Int32Array(initialLength);

  /** Reserves room for slots below `length`. Grows automatically. */
  reserve(length: number): void {
    if (length <= this.#next.length) return;
    this.#next = enlarged(this.#next, length);
    this.#previous = enlarged(this.#previous, length);
  }

  add(projectId: number, slot: number): void {
    if (slot >= this.#next.length) this.reserve(slot * 2);
    const first = this.#first.get(projectId) ?? endOfSlots;
    this.#next[slot] = first;
    this.#previous[slot] = endOfSlots;
    if (first !== endOfSlots) this.#previous[first - 1] = slot + 1;
    this.#first.set(projectId, slot + 1);
  }

  remove(projectId: number, slot: number): void {
    const next = this.#next[slot] ?? endOfSlots;
    const previous = this.#previous[slot] ?? endOfSlots;
    if (next !== endOfSlots) this.#previous[next - 1] = previous;
    if (previous !== endOfSlots) this.#next[previous - 1] = next;
    else if (next !== endOfSlots) this.#first.set(projectId, next);
    else this.#first.delete(projectId);
  }

  /**
   * Yields the slots of a project, newest first. The slot that was yielded last may be removed before the next one is
   * asked for.
   */
  *of(projectId: number): Generator<number> {
    for (let at = this.#first.get(projectId) ?? endOfSlots; at !== endOfSlots;) {
      const slot = at - 1;
      at = this.#next[slot] ?? endOfSlots;
      yield slot;
    }
  }
}

function enlarged(old: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(length);
  larger.set(old);
  return larger;
}
