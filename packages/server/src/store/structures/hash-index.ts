const minIndexSize = 1024;
/** Below this size an index grows fourfold. A start adds many rows, and each growth hashes all of them again. */
const maxQuickIndexGrowth = 2 ** 18;

/**
 * An index of row positions by the hash of their keys, in 6 to 12 bytes per row (24 in a small index that has just
 * grown). It stores neither rows nor keys: the caller compares the row at each position that `at` and `next` return,
 * until `at` returns -1.
 *
 *     for (let probe = index.probe(hash); (row = index.at(probe)) >= 0; probe = index.next(probe)) …
 */
export class HashIndex {
  /** Each entry is position + 1, or 0 if it is empty. Collisions use the next empty entry. */
  #table = new Int32Array(minIndexSize);
  #mask = minIndexSize - 1;
  #size = 0;
  readonly #hashOf: (position: number) => number;

  constructor(hashOf: (position: number) => number) {
    this.#hashOf = hashOf;
  }

  /** Reserves room for this many rows, so that the index does not grow in steps. */
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

  /** Returns the position at a probe, or -1 at the end of the chain. */
  at(probe: number): number {
    return (this.#table[probe] ?? 0) - 1;
  }

  /** Adds a position that the index does not contain yet. */
  add(hash: number, position: number): void {
    const { length } = this.#table;
    if ((this.#size + 1) * 3 > length * 2) this.#resize(length < maxQuickIndexGrowth ? length * 4 : length * 2);
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
    // Move later entries up, so that chains stay connected without tombstones.
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
    const old = this.#table;
    this.#table = new Int32Array(length);
    this.#mask = length - 1;
    for (const entry of old) if (entry > 0) this.#insert(this.#hashOf(entry - 1), entry - 1);
  }
}
