import type { QueryConnection, Query, Value } from '../../src/storage/postgres/primary-connection.ts';

interface BatchRow {
  nonce: Buffer;
  entries: Buffer;
  bodies: Buffer;
}

/**
 * The tables of the driver `postgres:` without PostgreSQL. Each statement of the driver has its effect at one moment.
 */
export class SimulatedTables {
  batches = new Map<number, BatchRow>();
  /** Slices of blobs: by name, then by number. */
  blobs = new Map<string, Map<number, Buffer>>();

  /** Runs the statement with this name. */
  run({ name, values = [] }: Query): Value[][] {
    const statement = statements[name ?? ''];
    if (!statement) throw new Error(`The simulation does not know the statement ${name ?? 'without a name'}.`);
    return statement(this, values.slice(1));
  }

  get newest(): number {
    return Math.max(0, ...this.batches.keys());
  }

  /** Loses the newest batches, as a failover to a standby that is behind does. */
  forget(count: number): void {
    for (let left = count; left > 0; left--) this.batches.delete(this.newest);
  }

  clone(): SimulatedTables {
    const copy = new SimulatedTables();
    copy.batches = new Map(this.batches);
    copy.blobs = new Map([...this.blobs].map(([name, slices]) => [name, new Map(slices)]));
    return copy;
  }
}

/** Returns a connection that sends each statement through `send`, which may delay, repeat or lose it. */
export function connectionOf(send: (query: Query) => Promise<Value[][]>): QueryConnection {
  return {
    query: send,
    transaction: () => Promise.reject(new Error('Only a restore needs a transaction.')),
  };
}

/** The statements by name. `values` are the parameters without the first one, which is the log. */
const statements: Record<string, (tables: SimulatedTables, values: unknown[]) => Value[][]> = {
  append(tables, [number, nonce, entries, bodies, before, nonceBefore]) {
    if (!tables.batches.get(Number(before))?.nonce.equals(nonceBefore as Buffer)) return [];
    return insert(tables, Number(number), [nonce, entries, bodies]);
  },
  appendFirst(tables, [number, ...row]) {
    return tables.batches.size > 0 ? [] : insert(tables, Number(number), row);
  },
  nonce({ batches }, [number]) {
    const row = batches.get(Number(number));
    return row ? [[row.nonce]] : [];
  },
  confirm: () => [],
  read({ batches }, [after, maxRows]) {
    return [...batches]
      .filter(([number]) => number > Number(after))
      .toSorted(([one], [other]) => one - other)
      .slice(0, Number(maxRows))
      .map(([number, { nonce, entries, bodies }]) => [String(number), nonce, entries, bodies.length]);
  },
  readAt({ batches }, [number, offset, length]) {
    const row = batches.get(Number(number));
    if (!row) return [];
    const all = Buffer.concat([row.entries, row.bodies]);
    return [[all.subarray(Number(offset), Number(offset) + Number(length))]];
  },
  drop({ batches }, [before, maxRows]) {
    const numbers = [...batches.keys()].filter((number) => number < Number(before)).toSorted((a, b) => a - b);
    const dropped = numbers.slice(0, Number(maxRows));
    let bytes = 0;
    for (const number of dropped) {
      const row = batches.get(number);
      if (row) bytes += row.entries.length + row.bodies.length;
      batches.delete(number);
    }
    return [[String(dropped.length), String(bytes)]];
  },
  putSlice({ blobs }, [name, slice, bytes]) {
    const slices = blobs.get(String(name)) ?? new Map<number, Buffer>();
    blobs.set(String(name), slices.set(Number(slice), Buffer.from(bytes as Uint8Array)));
    return [];
  },
  slice({ blobs }, [name, slice]) {
    const bytes = blobs.get(String(name))?.get(Number(slice));
    return bytes ? [[bytes]] : [];
  },
  removeBlob({ blobs }, [name]) {
    blobs.delete(String(name));
    return [];
  },
  blobNames: ({ blobs }) => [...blobs.keys()].map((name) => [name]),
};

/** Inserts a row and returns 1 if its number is free. Otherwise returns no row. */
function insert({ batches }: SimulatedTables, number: number, [nonce, entries, bodies]: unknown[]): Value[][] {
  if (batches.has(number)) return [];
  const [row, bytes, rest] = [nonce, entries, bodies].map((value) => Buffer.from(value as Uint8Array));
  batches.set(number, { nonce: row as Buffer, entries: bytes as Buffer, bodies: rest as Buffer });
  return [[1]];
}
