const minSize = 1024;
/** Up to this size an index grows fourfold: a start adds many rows, and each growth rehashes all of them. */
const maxQuickGrowth = 2 ** 18;

/**
 * Maps hashes of keys to positions of rows, in four to twelve bytes each. It stores neither rows nor keys: the caller
 * compares the rows at the positions that `at` and `next` return, until the chain ends.
 *
 *     for (let probe = index.probe(hash); (row = index.at(probe)) >= 0; probe = index.next(probe)) …
 */
export class HashIndex {
  /** Position + 1; 0 is an empty cell. Collisions go to the next free cell (open addressing). */
  #table = new Int32Array(minSize);
  #mask = minSize - 1;
  #size = 0;
  readonly #hashOf: (position: number) => number;

  constructor(hashOf: (position: number) => number) {
    this.#hashOf = hashOf;
  }

  /** Reserves room for this many rows, so that the index does not grow step by step. */
  reserve(size: number): void {
    let length = this.#table.length;
    while (size * 3 > length * 2) length *= 2;
    if (length > this.#table.length) this.#resize(length);
  }

  probe(hash: number): number {
    return hash & this.#mask;
  }

  next(probe: number): number {
    return (probe + 1) & this.#mask;
  }

  /** Returns the position in a cell, or -1 where the chain ends. */
  at(probe: number): number {
    return (this.#table[probe] ?? 0) - 1;
  }

  /** Adds a position that the index does not contain. */
  add(hash: number, position: number): void {
    const { length } = this.#table;
    if ((this.#size + 1) * 3 > length * 2) this.#resize(length < maxQuickGrowth ? length * 4 : length * 2);
    this.#insert(hash, position);
    this.#size++;
  }

  remove(hash: number, position: number): void {
    let hole = this.probe(hash);
    while (this.at(hole) !== position) {
      if (this.at(hole) < 0) return;
      hole = this.next(hole);
    }
    this.#size--;
    // Later cells of the chain move up, so that it stays connected without tombstones.
    for (let probe = this.next(hole); this.at(probe) >= 0; probe = this.next(probe)) {
      const home = this.probe(this.#hashOf(this.at(probe)));
      if (((probe - home) & this.#mask) < ((probe - hole) & this.#mask)) continue;
      this.#table[hole] = this.#table[probe] ?? 0;
      hole = probe;
    }
    this.#table[hole] = 0;
  }

  #insert(hash: number, position: number): void {
    let probe = this.probe(hash);
    while (this.#table[probe] !== 0) probe = this.next(probe);
    this.#table[probe] = position + 1;
  }

  #resize(length: number): void {
    const known = this.#table;
    this.#table = new Int32Array(length);
    this.#mask = length - 1;
    for (const place of known) if (place > 0) this.#insert(this.#hashOf(place - 1), place - 1);
  }
}
