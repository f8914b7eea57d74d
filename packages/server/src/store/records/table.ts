/** Additional indexes of a table. */
interface TableOptions<Row> {
  /** Returns the unique key of a row. */
  uniqueKey?: (row: Row) => string;
  /** Returns the id of the row that owns this one. It never changes. */
  owner?: (row: Row) => number;
  /** Values by which rows are looked up: see `withValue`. Null: the row can't be found by it. */
  lookups?: Record<string, (row: Row) => string | null | undefined>;
}

/** The rows of one owner. */
interface OwnedRows<Row> {
  rows: Map<number | string, Row>;
  /** Null if the rows have changed since they were last listed. */
  listed: readonly Row[] | null;
}

/** Rows by id and by the given indexes. */
export class Table<Row extends { id: number | string }> {
  #rows = new Map<Row['id'], Row>();
  readonly #byKey = new Map<string, Row>();
  readonly #byOwner = new Map<number, OwnedRows<Row>>();
  readonly #uniqueKey: ((row: Row) => string) | undefined;
  readonly #owner: ((row: Row) => number) | undefined;
  readonly #lookups: readonly RowLookup<Row>[];
  #lastId = 0;
  #isInOrder = true;
  /** Grows with every change, so that values derived from the rows can detect that they are stale. */
  version = 0;

  constructor({ uniqueKey, owner, lookups = {} }: TableOptions<Row> = {}) {
    this.#lookups = Object.entries(lookups).map(([name, valueOf]) => new RowLookup(name, valueOf));
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

  /** Returns the rows with a value, given the name of the lookup. */
  withValue(name: string, value: string): Iterable<Row> {
    return this.#lookups.find((lookup) => lookup.name === name)?.rows(value) ?? [];
  }

  /** Returns the unique key of a row. */
  keyOf(row: Row): string | undefined {
    return this.#uniqueKey?.(row);
  }

  /** Returns the rows of an owner, in the order of `values`. Returns the same array until one of these rows changes. */
  of(owner: number): readonly Row[] {
    const owned = this.#byOwner.get(owner);
    return owned ? (owned.listed ??= inOrder(owned.rows)) : none;
  }

  /** Returns all rows, oldest first if ids are numbers. */
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
      // Rows that were added during a compaction are in the log before the older rows that it wrote again.
      if (row.id < this.#lastId) this.#isInOrder = false;
      else this.#lastId = row.id;
    }
    this.#rows.set(row.id, row);
    if (this.#uniqueKey) this.#byKey.set(this.#uniqueKey(row), row);
    if (this.#owner) this.#own(this.#owner(row), row);
    for (const lookup of this.#lookups) lookup.add(row);
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
    if (!row) return;
    if (this.#uniqueKey) this.#byKey.delete(this.#uniqueKey(row));
    for (const lookup of this.#lookups) lookup.remove(row);
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

/** The rows of a table by a value that several of them may have. */
class RowLookup<Row> {
  readonly name: string;
  readonly #valueOf: (row: Row) => string | null | undefined;
  readonly #rows = new Map<string, Set<Row>>();

  constructor(name: string, valueOf: (row: Row) => string | null | undefined) {
    this.name = name;
    this.#valueOf = valueOf;
  }

  rows(value: string): Iterable<Row> | undefined {
    return this.#rows.get(value);
  }

  add(row: Row): void {
    const value = this.#valueOf(row) ?? null;
    if (value === null) return;
    const rows = this.#rows.get(value);
    if (rows) rows.add(row);
    else this.#rows.set(value, new Set([row]));
  }

  remove(row: Row): void {
    const value = this.#valueOf(row) ?? null;
    const rows = value === null ? undefined : this.#rows.get(value);
    rows?.delete(row);
    if (value !== null && rows?.size === 0) this.#rows.delete(value);
  }
}

const none: readonly never[] = [];

/** Sorts rows as `values` does. Few rows are out of order, and sorting ordered ones takes one pass. */
function inOrder<Row extends { id: number | string }>(rows: ReadonlyMap<number | string, Row>): readonly Row[] {
  return [...rows.values()].toSorted((a, b) =>
    typeof a.id === 'number' && typeof b.id === 'number' ? a.id - b.id : 0,
  );
}
