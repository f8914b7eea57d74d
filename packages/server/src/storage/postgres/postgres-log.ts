import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import {
  BatchTakenError,
  DamagedStorageError,
  NotHolderError,
  UnusableStorageError,
} from '../../store/log/storage-errors.ts';
import type { Batch, LoggedBatch, SharedLog } from '../../store/log/storage-driver.ts';
import { frameBodies } from '../../store/log/batch-frame.ts';
import type { Timing } from '../../time/timing.ts';
import { UnknownOutcomeError, type QueryConnection, type Query, type Value } from './primary-connection.ts';
import { theLog } from './postgres-schema.ts';

/** The maximum number of rows that are read at once, and of bytes of their entries. */
const maxReadRows = 256;
const maxBatchesBytes = 4 * 1024 * 1024;
/** The maximum number of rows that one statement deletes, so that it ends within the time limit of a query. */
const maxDroppedRows = 64;
/** The first and the longest pause between two attempts of an append whose outcome is unknown. */
const appendRetryMs = 50;
const maxAppendRetryMs = 1_000;

/** The newest batch that was read or appended. The nonce tells it from another batch with the same number. */
interface Tail {
  number: number;
  nonce: Buffer;
}

interface Row extends Tail {
  entries: Uint8Array;
  bodies: Uint8Array;
}

/**
 * The log as one row per batch. An append is one statement: it inserts the row if the predecessor is there with the
 * nonce that this log knows, and no other row has its number. An append of unknown outcome is repeated, with the same
 * nonce, until its outcome is known.
 */
export class PostgresLog implements SharedLog {
  readonly dropped = [];
  sizeBytes = 0;
  /** Resolves with whether this server holds the log. */
  mayAppend: () => boolean | Promise<boolean> = () => true;
  /** Called when another server has appended a batch: that server may hold the log now. */
  onTaken: () => void = () => undefined;
  readonly #writer: QueryConnection;
  readonly #reader: QueryConnection;
  readonly #name: string;
  readonly #timing: Pick<Timing, 'sleep'>;
  readonly #onLost: (error: UnusableStorageError) => void;
  #tail: Tail = { number: 0, nonce: Buffer.alloc(0) };
  #isClosed = false;

  /** `onLost` is called once PostgreSQL no longer has a batch that this server knows. */
  constructor(
    { writer, reader }: { writer: QueryConnection; reader: QueryConnection },
    name: string,
    onLost: (error: UnusableStorageError) => void,
    timing: Pick<Timing, 'sleep'>,
  ) {
    this.#writer = writer;
    this.#reader = reader;
    this.#name = name;
    this.#onLost = onLost;
    this.#timing = timing;
  }

  get newestNumber(): number {
    return this.#tail.number;
  }

  async *read(): AsyncGenerator<LoggedBatch> {
    this.#tail = { number: 0, nonce: Buffer.alloc(0) };
    this.sizeBytes = 0;
    yield* this.#readAfterTail();
  }

  async *readNew(): AsyncGenerator<LoggedBatch> {
    await this.assertNothingLost();
    yield* this.#readAfterTail();
  }

  /** Rejects with an `UnusableStorageError` if PostgreSQL no longer has the newest batch that this server knows. */
  async assertNothingLost(): Promise<void> {
    const { number, nonce } = this.#tail;
    if (number === 0 || (await this.#nonceOf(number))?.equals(nonce)) return;
    // An append or another read may have gone on in between.
    if (this.#tail.number !== number) return;
    throw this.#lost();
  }

  async append(number: number, bytes: Uint8Array, bodies: readonly Uint8Array[] = []): Promise<number> {
    if (!(await this.mayAppend())) throw new NotHolderError('Another server holds the log.');
    const row: Row = { number, nonce: nonceFor(bytes), entries: bytes, bodies: Buffer.concat(frameBodies(bodies)) };
    for (let pauseMs = appendRetryMs; ; pauseMs = Math.min(2 * pauseMs, maxAppendRetryMs)) {
      try {
        await this.#appendRow(row);
        this.#tail = { number, nonce: row.nonce };
        this.sizeBytes += bytes.length + row.bodies.length;
        return number;
      } catch (error) {
        if (!(error instanceof UnknownOutcomeError) || this.#isClosed) throw error;
      }
      await this.#timing.sleep(pauseMs);
    }
  }

  async readAt(position: number, offset: number, length: number): Promise<Uint8Array> {
    const [row] = await this.#reader.query({ ...readAtQuery, values: [theLog, position, offset, length] });
    if (!row) throw new DamagedStorageError(`Batch ${position} of ${this.#name} is missing.`);
    return row[0] as Buffer;
  }

  /** Does nothing: each batch is a separate row. */
  async seal(): Promise<void> {}

  async dropBefore(number: number): Promise<void> {
    await this.#drop((query) => this.#writer.query(query), number);
  }

  async isEmpty(): Promise<boolean> {
    const rows = await this.#reader.query({
      text: 'SELECT FROM service.batch WHERE log = $1 LIMIT 1',
      values: [theLog],
    });
    return rows.length === 0;
  }

  /** Replaces the log, in one transaction. Its batches continue the numbers of the previous ones. */
  async replace(batches: (first: number) => AsyncIterable<Batch>): Promise<void> {
    await this.#writer.transaction(async (query) => {
      const [newest] = await query({
        text: 'SELECT coalesce(max(number), 0) FROM service.batch WHERE log = $1',
        values: [theLog],
      });
      const first = Number(newest?.[0]) + 1;
      let number = first;
      for await (const { bytes, bodies } of batches(first))
        await query(
          insertOf({
            number: number++,
            nonce: nonceFor(bytes),
            entries: bytes,
            bodies: Buffer.concat(frameBodies(bodies)),
          }),
        );
      await this.#drop(query, first);
    });
  }

  /** Ends the attempts of an append whose outcome is unknown. */
  close(): void {
    this.#isClosed = true;
  }

  /**
   * Resolves once the row is durable. Rejects with a `BatchTakenError` if another row has its number, and with an
   * `UnusableStorageError` if its predecessor is missing.
   */
  async #appendRow(row: Row): Promise<void> {
    const { number, nonce } = this.#tail;
    const query = number === 0 ? appendFirstQuery : appendQuery;
    const inserted = await this.#writer.query({
      ...query,
      values: [theLog, row.number, row.nonce, row.entries, row.bodies, ...(number === 0 ? [] : [number, nonce])],
    });
    if (inserted.length > 0) return;
    const stored = await this.#nonceOf(row.number);
    if (!stored) throw this.#lost();
    if (!stored.equals(row.nonce)) {
      this.onTaken();
      throw new BatchTakenError(`Another server has appended batch ${row.number}.`);
    }
    // An earlier attempt has stored the row, but a synchronous standby may not have it yet. A later write that waits
    // for the standby confirms that it has.
    await this.#writer.query({ ...confirmQuery, values: [theLog] });
  }

  /** Deletes the rows before a number, the oldest first. Appends need not wait for all of them. */
  async #drop(query: QueryConnection['query'], number: number): Promise<void> {
    for (let count = maxDroppedRows; count === maxDroppedRows;) {
      const [row] = await query({ ...dropQuery, values: [theLog, number, maxDroppedRows] });
      count = Number(row?.[0]);
      this.sizeBytes -= Number(row?.[1]);
    }
  }

  async #nonceOf(number: number): Promise<Buffer | null> {
    const [row] = await this.#writer.query({ ...nonceQuery, values: [theLog, number] });
    return (row?.[0] as Buffer | undefined) ?? null;
  }

  async *#readAfterTail(): AsyncGenerator<LoggedBatch> {
    for (;;) {
      const rows = await this.#reader.query({
        ...readBatchesQuery,
        values: [theLog, this.#tail.number, maxReadRows, maxBatchesBytes],
      });
      for (const row of rows) yield this.#readRow(row);
      if (rows.length === 0) return;
    }
  }

  #readRow([number, nonce, entries, bodiesBytes]: Value[]): LoggedBatch {
    const batch = { number: Number(number), position: Number(number), bytes: entries as Buffer };
    if (!isIntact(nonce as Buffer, batch.bytes))
      throw new DamagedStorageError(`Batch ${batch.number} of ${this.#name} is damaged. Restore it from a backup.`);
    this.#tail = { number: batch.number, nonce: nonce as Buffer };
    this.sizeBytes += batch.bytes.length + Number(bodiesBytes);
    return { ...batch, bodiesBytes: Number(bodiesBytes) };
  }

  #lost(): UnusableStorageError {
    const error = new UnusableStorageError(
      `${this.#name} has lost its last writes, most likely in a failover to a standby that was behind. ` +
        'The remaining data is read again.',
    );
    this.#onLost(error);
    return error;
  }
}

const columns = 'INSERT INTO service.batch (log, number, nonce, entries, bodies)';
const values = 'SELECT $1::int, $2::bigint, $3::bytea, $4::bytea, $5::bytea';

const appendQuery = {
  name: 'append',
  text: `${columns} ${values}
    WHERE EXISTS (SELECT FROM service.batch WHERE log = $1 AND number = $6 AND nonce = $7)
    ON CONFLICT DO NOTHING RETURNING 1`,
};

const appendFirstQuery = {
  name: 'appendFirst',
  text: `${columns} ${values} WHERE NOT EXISTS (SELECT FROM service.batch WHERE log = $1)
    ON CONFLICT DO NOTHING RETURNING 1`,
};

const nonceQuery = { name: 'nonce', text: 'SELECT nonce FROM service.batch WHERE log = $1 AND number = $2' };

/** Changes nothing, but is written to disk and sent to a synchronous standby. */
const confirmQuery = { name: 'confirm', text: 'UPDATE service.log SET term = term WHERE id = $1' };

/** Deletes some of the oldest rows. Numbers have no gaps. */
const dropQuery = {
  name: 'drop',
  text: `WITH dropped AS (
    DELETE FROM service.batch
    WHERE log = $1 AND number < $2 AND number < (SELECT min(number) FROM service.batch WHERE log = $1) + $3::int
    RETURNING octet_length(entries) + octet_length(bodies) AS bytes
  ) SELECT count(*), coalesce(sum(bytes), 0) FROM dropped`,
};

/** The sizes are summed before any entries are fetched. The first row is returned whatever its size. */
const readBatchesQuery = {
  name: 'read',
  text: `SELECT number, nonce, entries, octet_length(bodies) FROM service.batch
    WHERE log = $1 AND number > $2 AND number <= (
      SELECT max(number) FROM (
        SELECT number, row_number() OVER (ORDER BY number) AS row, sum(octet_length(entries)) OVER (ORDER BY number) AS bytes
        FROM (SELECT number, entries FROM service.batch WHERE log = $1 AND number > $2 ORDER BY number LIMIT $3) AS next
      ) AS sized WHERE row = 1 OR bytes <= $4
    ) ORDER BY number`,
};

/** Bodies follow the entries, as in all logs. */
const readAtQuery = {
  name: 'readAt',
  text: `SELECT substring(entries FROM $3::int + 1 FOR $4::int) || substring(
      bodies FROM greatest(1, $3::int + 1 - octet_length(entries))
      FOR greatest(0, least($4::int, $3::int + $4::int - octet_length(entries)))
    ) FROM service.batch WHERE log = $1 AND number = $2`,
};

function insertOf({ number, nonce, entries, bodies }: Row): Query {
  return {
    name: 'insert',
    text: `${columns} VALUES ($1, $2, $3, $4, $5)`,
    values: [theLog, number, nonce, entries, bodies],
  };
}

const nonceRandomBytes = 12;

/** Returns random bytes, followed by the checksum of the entries. */
function nonceFor(entries: Uint8Array): Buffer {
  const nonce = Buffer.alloc(nonceRandomBytes + 4);
  randomBytes(nonceRandomBytes).copy(nonce);
  nonce.writeUInt32LE(crc32(entries), nonceRandomBytes);
  return nonce;
}

function isIntact(nonce: Buffer, entries: Uint8Array): boolean {
  return nonce.length === nonceRandomBytes + 4 && nonce.readUInt32LE(nonceRandomBytes) === crc32(entries);
}
