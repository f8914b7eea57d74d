import { inflateSync } from 'node:zlib';
import { DamagedIndexError } from './damaged-index-error.ts';
import type { BlockTable } from './directory.ts';

/** Reads bytes of a stored index. Rejects with a DamagedIndexError if they do not exist. */
export type ReadBytes = (start: number, end: number) => Promise<Uint8Array>;

/** Unpacked blocks by their offset in the index. */
export interface BlockCache {
  get(offset: number, read: () => Promise<Buffer>): Promise<Buffer>;
}

/** Reads bytes of one kind by their position among all bytes of that kind, across blocks. */
export class BlockReader {
  readonly #table: BlockTable;
  readonly #read: ReadBytes;
  readonly #cache: BlockCache;

  constructor(table: BlockTable, read: ReadBytes, cache: BlockCache) {
    this.#table = table;
    this.#read = read;
    this.#cache = cache;
  }

  /** Returns the number of the block that contains a byte. */
  blockAt(position: number): number {
    const { starts, count } = this.#table;
    let low = 0;
    let high = count;
    while (low < high - 1) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] ?? 0) <= position) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Returns the position of the first byte of a block. */
  startOf(block: number): number {
    return this.#table.starts[block] ?? 0;
  }

  block(block: number): Promise<Buffer> {
    const { offsets, packedBytes, count } = this.#table;
    if (block >= count) throw new DamagedIndexError('a block is missing');
    const offset = offsets[block] ?? 0;
    return this.#cache.get(offset, async () => {
      const packed = await this.#read(offset, offset + (packedBytes[block] ?? 0));
      return unpack(packed, this.startOf(block + 1) - this.startOf(block));
    });
  }

  /** Returns a range of bytes. They may belong to a cached block: callers must not modify them. */
  async bytes(start: number, end: number): Promise<Buffer> {
    if (end <= start) return Buffer.alloc(0);
    const parts: Buffer[] = [];
    for (let block = this.blockAt(start); this.startOf(block) < end; block++) {
      const bytes = await this.block(block);
      const from = this.startOf(block);
      parts.push(bytes.subarray(Math.max(0, start - from), Math.min(bytes.length, end - from)));
    }
    return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
  }
}

function unpack(packed: Uint8Array, bytes: number): Buffer {
  try {
    const unpacked = inflateSync(packed, { maxOutputLength: bytes, chunkSize: Math.max(64, bytes) });
    if (unpacked.length === bytes) return unpacked;
  } catch (cause) {
    throw new DamagedIndexError('a part of it cannot be unpacked', { cause });
  }
  throw new DamagedIndexError('a part of it is too short');
}
