import { DamagedStorageError } from '../../store/log/storage-errors.ts';
import type { Blobs } from '../../store/log/storage-driver.ts';
import { gatherPieces } from '../../store/codec/gather-pieces.ts';
import type { QueryConnection } from './primary-connection.ts';
import { theLog } from './postgres-schema.ts';

const blobSliceBytes = 256 * 1024;
/** The slice that contains the number of slices. It is written last: a blob without it is incomplete. */
const endSlice = -1;

/** Stores a blob as rows of 256 KiB, and a last row that makes it complete. */
export class PostgresBlobs implements Blobs {
  readonly #connection: QueryConnection;

  constructor(connection: QueryConnection) {
    this.#connection = connection;
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    await this.putPieces(name, onePiece(bytes));
  }

  async putPieces(name: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    let slices = 0;
    try {
      for await (const slice of gatherPieces(pieces, blobSliceBytes)) await this.#putSlice(name, slices++, slice);
      await this.#putSlice(name, endSlice, Buffer.from(String(slices)));
    } catch (error) {
      // Slices that remain are removed by the next server that takes the log.
      await this.remove(name).catch(() => undefined);
      throw error;
    }
  }

  async get(name: string): Promise<Uint8Array | null> {
    return this.read(name, 0, Infinity);
  }

  async read(name: string, start: number, end: number): Promise<Uint8Array | null> {
    const slices = await this.#count(name);
    if (slices === null) return null;
    const first = Math.floor(start / blobSliceBytes);
    const last = Math.min(slices, Math.ceil(end / blobSliceBytes));
    const parts: Uint8Array[] = [];
    for (let index = first; index < last; index++) {
      const slice = await this.#slice(name, index);
      if (!slice) return null;
      parts.push(slice);
    }
    return Buffer.concat(parts).subarray(start - first * blobSliceBytes, end - first * blobSliceBytes);
  }

  async *getPieces(name: string): AsyncGenerator<Uint8Array> {
    const slices = await this.#count(name);
    if (slices === null) return;
    if (slices === 0) yield Buffer.alloc(0);
    for (let index = 0; index < slices; index++) {
      const slice = await this.#slice(name, index);
      if (!slice) throw new DamagedStorageError(`A part of the blob ${name} is missing.`);
      yield slice;
    }
  }

  async remove(name: string): Promise<void> {
    await this.#connection.query({
      name: 'removeBlob',
      text: 'DELETE FROM service.blob WHERE log = $1 AND name = $2',
      values: [theLog, name],
    });
  }

  /** Includes incomplete blobs that a killed server has left. */
  async names(): Promise<string[]> {
    const rows = await this.#connection.query({
      name: 'blobNames',
      text: 'SELECT DISTINCT name FROM service.blob WHERE log = $1',
      values: [theLog],
    });
    return rows.map(([name]) => String(name));
  }

  async #putSlice(name: string, slice: number, bytes: Uint8Array): Promise<void> {
    await this.#connection.query({
      name: 'putSlice',
      // An upload that was interrupted may have left a slice with this name.
      text: `INSERT INTO service.blob (log, name, slice, bytes) VALUES ($1, $2, $3, $4)
        ON CONFLICT (log, name, slice) DO UPDATE SET bytes = excluded.bytes`,
      values: [theLog, name, slice, bytes],
    });
  }

  async #count(name: string): Promise<number | null> {
    const count = await this.#slice(name, endSlice);
    return count && Number(count.toString());
  }

  async #slice(name: string, slice: number): Promise<Buffer | null> {
    const [row] = await this.#connection.query({
      name: 'slice',
      text: 'SELECT bytes FROM service.blob WHERE log = $1 AND name = $2 AND slice = $3',
      values: [theLog, name, slice],
    });
    return (row?.[0] as Buffer | undefined) ?? null;
  }
}

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
