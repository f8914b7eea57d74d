import type { Storage as UnstorageStorage } from 'unstorage';
import { DamagedStorageError } from '../../store/log/storage-errors.ts';
import type { Blobs } from '../../store/log/storage-driver.ts';
import { gatherPieces } from '../../store/codec/gather-pieces.ts';
import { getRawItem } from './raw-item.ts';

/** The size of an item of a sliced blob. To read a part of an item, the whole item is read. */
const itemSliceBytes = 256 * 1024;

/**
 * Stores a blob as one item. A large blob that is written in pieces becomes one item per slice (`name.0`, `name.1`, …).
 * After the last slice, `name.slices` is written with the number and size of the slices (`12 262144`). Names of blobs
 * contain no dots.
 */
export class ItemBlobs implements Blobs {
  readonly #storage: UnstorageStorage;

  constructor(storage: UnstorageStorage) {
    this.#storage = storage;
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    await this.#storage.setItemRaw(keyOf(name), bytes);
  }

  async putPieces(name: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    let slices = 0;
    try {
      for await (const piece of gatherPieces(pieces, itemSliceBytes)) {
        // A storage in memory keeps the whole buffer of what it gets.
        const slice = piece.length < itemSliceBytes ? Buffer.from(piece) : piece;
        // This is the only slice, so it needs no count.
        if (slices === 0 && slice.length < itemSliceBytes) return await this.put(name, slice);
        // Count the slice before the write: a failed write may leave an item that must be removed, too.
        await this.#storage.setItemRaw(sliceKey(name, slices++), slice);
      }
      await this.#storage.setItemRaw(countKey(name), Buffer.from(`${slices} ${itemSliceBytes}`));
    } catch (error) {
      // If the storage is unreachable, the next start removes the slices.
      await this.#removeSlices(name, slices).catch(() => undefined);
      throw error;
    }
  }

  async get(name: string): Promise<Uint8Array | null> {
    const pieces: Uint8Array[] = [];
    try {
      for await (const piece of this.getPieces(name)) pieces.push(piece);
    } catch (error) {
      if (error instanceof DamagedStorageError) return null;
      throw error;
    }
    return pieces.length > 0 ? Buffer.concat(pieces) : null;
  }

  async *getPieces(name: string): AsyncGenerator<Uint8Array> {
    const whole = await getRawItem(this.#storage, keyOf(name));
    if (whole) return yield whole;
    const count = await this.#count(name);
    if (!count) return;
    if (count.slices === 0) yield Buffer.alloc(0);
    for (let index = 0; index < count.slices; index++) {
      const slice = await getRawItem(this.#storage, sliceKey(name, index));
      if (!slice) throw new DamagedStorageError(`A part of the blob ${name} is missing.`);
      yield slice;
    }
  }

  async read(name: string, start: number, end: number): Promise<Uint8Array | null> {
    const whole = await getRawItem(this.#storage, keyOf(name));
    if (whole) return whole.subarray(start, end);
    const count = await this.#count(name);
    if (!count) return null;
    const { slices, bytes } = count;
    // Older blobs have slices of any size and store no size.
    if (bytes === null) return (await this.get(name))?.subarray(start, end) ?? null;
    const first = Math.floor(start / bytes);
    const parts: Uint8Array[] = [];
    for (let index = first; index < slices && index * bytes < end; index++) {
      const slice = await getRawItem(this.#storage, sliceKey(name, index));
      if (!slice) return null;
      parts.push(slice);
    }
    const [only] = parts;
    const read = only && parts.length === 1 ? only : Buffer.concat(parts);
    return read.subarray(start - first * bytes, end - first * bytes);
  }

  async #count(name: string): Promise<{ slices: number; bytes: number | null } | null> {
    const count = await getRawItem(this.#storage, countKey(name));
    if (!count) return null;
    const [slices, bytes] = count.toString().split(' ');
    return { slices: Number(slices), bytes: bytes === undefined ? null : Number(bytes) };
  }

  async remove(name: string): Promise<void> {
    await this.#storage.removeItem(keyOf(name));
    let slices = 0;
    while (await this.#storage.hasItem(sliceKey(name, slices))) slices++;
    await this.#removeSlices(name, slices);
  }

  async names(): Promise<string[]> {
    const keys = await this.#storage.getKeys('blob');
    // Redis can list a key twice while its hash table grows.
    return [...new Set(keys.map((key) => key.slice('blob:'.length).replace(/\..*$/, '')))];
  }

  /** Removes slices from last to first. After an interruption the first ones remain, where `remove` looks for them. */
  async #removeSlices(name: string, slices: number): Promise<void> {
    await this.#storage.removeItem(countKey(name));
    for (let index = slices - 1; index >= 0; index--) await this.#storage.removeItem(sliceKey(name, index));
  }
}

const keyOf = (name: string): string => `blob:${name}`;
const sliceKey = (name: string, index: number): string => `blob:${name}.${index}`;
const countKey = (name: string): string => `blob:${name}.slices`;
