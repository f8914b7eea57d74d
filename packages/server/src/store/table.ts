/** Rows by id and, where `uniqueKey` is given, by a key that no two rows share. */
export class Table<Row extends { id: number | string }> {
  #rows = new Map<Row['id'], Row>();
  readonly #byKey = new Map<string, Row>();
  readonly #uniqueKey: ((row: Row) => string) | undefined;
  #lastId = 0;
  #isInOrder = true;
  /** Grows with every change, so that what is derived from the rows can tell that it is old. */
  version = 0;

  constructor(uniqueKey?: (row: Row) => string) {
    this.#uniqueKey = uniqueKey;
  }

  get size(): number {
    return this.#rows.size;
  }

  get(id: Row['id']): Row | undefined {
    return this.#rows.get(id);
  }

  find(key: string): Row | undefined {
    return this.#byKey.get(key);
  }

  /** What `find` finds the row by. */
  keyOf(row: Row): string | undefined {
    return this.#uniqueKey?.(row);
  }

  /** Oldest first, where ids are numbers. */
  values(): IterableIterator<Row> {
    if (!this.#isInOrder) {
      this.#rows = new Map([...this.#rows].toSorted(([a], [b]) => Number(a) - Number(b)));
      this.#isInOrder = true;
    }
    return this.#rows.values();
  }

  put(row: Row): void {
    this.#forgetKey(row.id);
    if (typeof row.id === 'number' && !this.#rows.has(row.id)) {
      // Where the state was written again while rows were made, the log has the older ones behind them.
      if (row.id < this.#lastId) this.#isInOrder = false;
      else this.#lastId = row.id;
    }
    this.#rows.set(row.id, row);
    if (this.#uniqueKey) this.#byKey.set(this.#uniqueKey(row), row);
    this.version++;
  }

  remove(id: Row['id']): void {
    this.#forgetKey(id);
    this.#rows.delete(id);
    this.version++;
  }

  #forgetKey(id: Row['id']): void {
    const row = this.#rows.get(id);
    if (row && this.#uniqueKey) this.#byKey.delete(this.#uniqueKey(row));
  }
}
