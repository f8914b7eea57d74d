/** The indexes of a table besides the id. */
interface TableOptions<Row> {
  /** A key that no two rows share. */
  uniqueKey?: (row: Row) => string;
  /** The owner of a row. Never changes. */
  owner?: (row: Row) => number;
}

/** The rows of one owner. */
interface OwnedRows<Row> {
  rows: Map<number | string, Row>;
  /** Null: they have changed since they were listed. */
  listed: readonly Row[] | null;
}

/** Rows by id, and in the other ways that are given. */
export class Table<Row extends { id: number | string }> {
  #rows = new Map<Row['id'], Row>();
  readonly #byKey = new Map<string, Row>();
  readonly #byOwner = new Map<number, OwnedRows<Row>>();
  readonly #uniqueKey: ((row: Row) => string) | undefined;
  readonly #owner: ((row: Row) => number) | undefined;
  #lastId = 0;
  #isInOrder = true;
  /** Grows with every change, so that what is derived from the rows can tell that it is old. */
  version = 0;

  constructor({ uniqueKey, owner }: TableOptions<Row> = {}) {
    this.#uniqueKey = uniqueKey;
    this.#owner = owner;
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

  /** The rows of an owner, in the order of `values`: the same list until one of them changes, whatever others do. */
  of(owner: number): readonly Row[] {
    const owned = this.#byOwner.get(owner);
    return owned ? (owned.listed ??= inOrder(owned.rows)) : none;
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
    if (this.#owner) this.#own(this.#owner(row), row);
    this.version++;
  }

  remove(id: Row['id']): void {
    this.#forgetKey(id);
    this.#disown(id);
    this.#rows.delete(id);
    this.version++;
  }

  #forgetKey(id: Row['id']): void {
    const row = this.#rows.get(id);
    if (row && this.#uniqueKey) this.#byKey.delete(this.#uniqueKey(row));
  }

  #own(owner: number, row: Row): void {
    const owned = this.#byOwner.get(owner);
    if (!owned) return void this.#byOwner.set(owner, { rows: new Map([[row.id, row]]), listed: null });
    owned.rows.set(row.id, row);
    owned.listed = null;
  }

  #disown(id: Row['id']): void {
    const row = this.#rows.get(id);
    if (!row || !this.#owner) return;
    const owner = this.#owner(row);
    const owned = this.#byOwner.get(owner);
    if (!owned) return;
    owned.rows.delete(id);
    owned.listed = null;
    if (owned.rows.size === 0) this.#byOwner.delete(owner);
  }
}

const none: readonly never[] = [];

/** As `values` has them. Rows that have come back out of order are few, and sorting the others costs a look at each. */
function inOrder<Row extends { id: number | string }>(rows: ReadonlyMap<number | string, Row>): readonly Row[] {
  return [...rows.values()].toSorted((a, b) =>
    typeof a.id === 'number' && typeof b.id === 'number' ? a.id - b.id : 0,
  );
}
