import type { Storage as UnstorageStorage } from 'unstorage';
import { DamagedStorageError, UnusableStorageError } from '../../store/log/storage-errors.ts';
import type { Batch, DroppedPart, Log, LoggedBatch } from '../../store/log/storage-driver.ts';
import {
  frameBatch,
  frameHeaderBytes,
  hasIntactBodies,
  readFrameEntries,
  readFrameHeader,
} from '../../store/log/batch-frame.ts';
import { parseSegmentHeader, segmentHeader } from '../file/file-segment.ts';
import { getRawItem } from './raw-item.ts';

/** The number of items that are read concurrently at start. In sequence, each would cost a network round trip. */
const readAhead = 16;

/**
 * Items that exist while the log is replaced: the number of the first new batch, and a mark that all batches are
 * stored.
 */
const begunKey = 'replacing:begun';
const completeKey = 'replacing:complete';

/**
 * The log as one item per batch, named by the number of the batch. An item contains the same bytes as a segment file
 * with one batch. After an append with an unknown outcome, the next append has the same number, so it overwrites that
 * item.
 */
export class ItemLog implements Log {
  readonly #storage: UnstorageStorage;
  readonly #name: string;
  readonly #isReader: boolean;
  /** Number of the oldest batch, and the size of each item from there on. */
  #first = 1;
  #sizes: number[] = [];
  sizeBytes = 0;
  readonly dropped: DroppedPart[] = [];

  /** With `isReader`, nothing is written, because another process may be writing. */
  constructor(storage: UnstorageStorage, name: string, isReader = false) {
    this.#storage = storage;
    this.#name = name;
    this.#isReader = isReader;
  }

  async *read(): AsyncGenerator<LoggedBatch> {
    await this.#finishReplacing();
    const keys = await this.#keys();
    this.#sizes = [];
    this.sizeBytes = 0;
    for (let start = 0; start < keys.length; start += readAhead) {
      const ahead = keys.slice(start, start + readAhead);
      const items = await Promise.all(ahead.map((key) => getRawItem(this.#storage, key)));
      for (const [index, key] of ahead.entries()) {
        const number = numberOf(key);
        const bytes = openItem(items[index] ?? null, number, key);
        if (bytes) {
          this.#count(number, items[index]?.length ?? 0);
          yield { number, position: number, bytes };
        }
        // A kill can tear only the last item, which was not acknowledged.
        else if (key === keys.at(-1)) {
          this.dropped.push({ location: `item ${key}`, bytes: items[index]?.length ?? 0, isTorn: true });
          if (!this.#isReader) await this.#storage.removeItem(key);
        } else
          throw new DamagedStorageError(
            `Item ${key} of ${this.#name} is damaged, and later items follow it. ` +
              'The storage has lost stored data. Restore it from a backup.',
          );
      }
    }
  }

  async append(number: number, bytes: Uint8Array, bodies?: readonly Uint8Array[]): Promise<number> {
    const item = Buffer.concat([segmentHeader(number), ...frameBatch(number, bytes, bodies)]);
    await this.#storage.setItemRaw(itemKey(number), item);
    this.#count(number, item.length);
    return number;
  }

  async readAt(position: number, offset: number, length: number): Promise<Uint8Array> {
    const key = itemKey(position);
    const item = await getRawItem(this.#storage, key);
    if (!item) throw new DamagedStorageError(`Item ${key} of ${this.#name} is missing.`);
    const start = item.indexOf('\n') + 1 + frameHeaderBytes + offset;
    return item.subarray(start, start + length);
  }

  /** Does nothing: each batch is a separate item. */
  async seal(): Promise<void> {}

  async dropBefore(number: number): Promise<void> {
    let dropped = 0;
    try {
      for (; dropped < this.#sizes.length && this.#first + dropped < number; dropped++) {
        // Remove one at a time: a kill must not leave a gap.
        await this.#storage.removeItem(itemKey(this.#first + dropped));
        this.sizeBytes -= this.#sizes[dropped] ?? 0;
      }
    } finally {
      this.#sizes.splice(0, dropped);
      this.#first += dropped;
    }
  }

  async isEmpty(): Promise<boolean> {
    await this.#finishReplacing();
    return (await this.#keys()).length === 0;
  }

  /**
   * Implements `RestorableDriver.replaceLog`. The new log is appended to the old one and takes effect with the
   * `completeKey` item.
   */
  async replace(batches: (first: number) => AsyncIterable<Batch>): Promise<void> {
    await this.#finishReplacing();
    const first = numberOf((await this.#keys()).at(-1) ?? itemKey(0)) + 1;
    let number = first;
    try {
      // An old item of this name would mark an incomplete log as complete.
      await this.#storage.removeItem(completeKey);
      await this.#storage.setItemRaw(begunKey, Buffer.from(String(first)));
      for await (const { bytes, bodies } of batches(first)) await this.append(number++, bytes, bodies);
      await this.#storage.setItemRaw(completeKey, Buffer.from(String(first)));
    } catch (error) {
      // If the cleanup fails, the next start does it.
      await this.#finishReplacing().catch(() => undefined);
      throw error;
    }
    await this.#finishReplacing();
  }

  /** Removes the old log if the new one is complete, else the new one. Does nothing if no replacement is pending. */
  async #finishReplacing(): Promise<void> {
    const first = await this.#numberAt(begunKey);
    if (first === null) return;
    if (this.#isReader) throw new UnusableStorageError(`${this.#name} is being restored. Try again after the restore.`);
    const isComplete = (await this.#numberAt(completeKey)) === first;
    // Remove old batches oldest first and new ones newest first: a kill must not leave a gap.
    const keys = isComplete ? await this.#keys() : (await this.#keys()).toReversed();
    for (const key of keys) if (numberOf(key) < first === isComplete) await this.#storage.removeItem(key);
    await this.#storage.removeItem(begunKey);
    await this.#storage.removeItem(completeKey);
  }

  async #numberAt(key: string): Promise<number | null> {
    const text = (await getRawItem(this.#storage, key))?.toString() ?? '';
    return /^\d{1,16}$/.test(text) ? Number(text) : null;
  }

  #count(number: number, itemBytes: number): void {
    if (this.#sizes.length === 0) this.#first = number;
    this.sizeBytes += itemBytes - (this.#sizes[number - this.#first] ?? 0);
    this.#sizes[number - this.#first] = itemBytes;
  }

  async #keys(): Promise<string[]> {
    const keys = (await this.#storage.getKeys('log')).filter(isLogKey);
    // Redis can list a key twice while its hash table grows.
    return [...new Set(keys)].toSorted();
  }
}

/** Returns whether a key is the name of a batch. */
export function isLogKey(key: string): boolean {
  return /^log:\d{16}$/.test(key);
}

/** Pads the number, so that names sort like numbers. */
function itemKey(number: number): string {
  return `log:${String(number).padStart(16, '0')}`;
}

function numberOf(key: string): number {
  return Number.parseInt(key.slice('log:'.length), 10);
}

/** Returns the entries of an item, or null if the item is incomplete or damaged. */
function openItem(item: Buffer | null, number: number, key: string): Buffer | null {
  const end = item ? item.indexOf('\n') : -1;
  if (!item || end < 0) return null;
  parseSegmentHeader(item.toString('utf8', 0, end), key);
  const frame = item.subarray(end + 1);
  const header = readFrameHeader(frame);
  if (header?.number !== number || header.bytes !== frame.length) return null;
  return hasIntactBodies(frame, header) ? readFrameEntries(frame, header) : null;
}
