import type { Storage as UnstorageStorage } from 'unstorage';
import {
  DamagedStorageError,
  UnusableStorageError,
  type Batch,
  type DroppedPart,
  type Log,
  type LoggedBatch,
} from '../../store/log/driver.ts';
import {
  frameBatch,
  frameHeaderBytes,
  hasIntactBodies,
  readFrameEntries,
  readFrameHeader,
} from '../../store/log/frame.ts';
import { parseSegmentHeader, segmentHeader } from '../file/file-segment.ts';
import { getRawItem } from './raw-item.ts';

/** So many items are fetched at once at start: over a network, one after the other would be a round trip each. */
const readAhead = 16;

/** While another log takes the place of this one: the number of its first batch, and whether all of it is there. */
const begun = 'replacing:begun';
const complete = 'replacing:complete';

/**
 * The log as items, one a batch, named by its number; in it stands what a segment file of one batch would hold.
 * A batch of unknown outcome is settled by the next one, which has the same number and so the same name.
 */
export class ItemLog implements Log {
  readonly #storage: UnstorageStorage;
  readonly #name: string;
  readonly #isReader: boolean;
  /** Number of the oldest batch, and the bytes of each item from it on. */
  #first = 1;
  #sizes: number[] = [];
  sizeBytes = 0;
  readonly dropped: DroppedPart[] = [];

  /** `isReader`: nothing is written, for somebody else may be writing. */
  constructor(storage: UnstorageStorage, name: string, isReader = false) {
    this.#storage = storage;
    this.#name = name;
    this.#isReader = isReader;
  }

  async *read(): AsyncGenerator<LoggedBatch> {
    await this.#settleReplacing();
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
        // Only the last item can be torn by a kill, and nobody was told about it.
        else if (key === keys.at(-1)) {
          this.dropped.push({ place: `item ${key}`, bytes: items[index]?.length ?? 0, isTorn: true });
          if (!this.#isReader) await this.#storage.removeItem(key);
        } else
          throw new DamagedStorageError(
            `Item ${key} of ${this.#name} is damaged, and there are later ones. ` +
              'The storage has lost data that was stored; restore it from a backup.',
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
    if (!item) throw new DamagedStorageError(`Item ${key} of ${this.#name} is gone.`);
    const start = item.indexOf('\n') + 1 + frameHeaderBytes + offset;
    return item.subarray(start, start + length);
  }

  /** Every item is a part of its own. */
  async seal(): Promise<void> {}

  async dropBefore(number: number): Promise<void> {
    let dropped = 0;
    try {
      for (; dropped < this.#sizes.length && this.#first + dropped < number; dropped++) {
        // One after the other: a kill must not leave a hole.
        await this.#storage.removeItem(itemKey(this.#first + dropped));
        this.sizeBytes -= this.#sizes[dropped] ?? 0;
      }
    } finally {
      this.#sizes.splice(0, dropped);
      this.#first += dropped;
    }
  }

  async isEmpty(): Promise<boolean> {
    await this.#settleReplacing();
    return (await this.#keys()).length === 0;
  }

  /** See Driver.replaceLog. The other log stands behind this one until an item says that it is whole. */
  async replace(batches: (first: number) => AsyncIterable<Batch>): Promise<void> {
    await this.#settleReplacing();
    const first = numberOf((await this.#keys()).at(-1) ?? itemKey(0)) + 1;
    let number = first;
    try {
      // One of long ago would call half a log whole.
      await this.#storage.removeItem(complete);
      await this.#storage.setItemRaw(begun, Buffer.from(String(first)));
      for await (const { bytes, bodies } of batches(first)) await this.append(number++, bytes, bodies);
      await this.#storage.setItemRaw(complete, Buffer.from(String(first)));
    } catch (error) {
      // The next start does it, if it can't be done now.
      await this.#settleReplacing().catch(() => undefined);
      throw error;
    }
    await this.#settleReplacing();
  }

  /** Removes the one log or the other, where a replacing was cut short or is done. */
  async #settleReplacing(): Promise<void> {
    const first = await this.#numberAt(begun);
    if (first === null) return;
    if (this.#isReader) throw new UnusableStorageError(`${this.#name} is being restored. Try again when that is done.`);
    const isComplete = (await this.#numberAt(complete)) === first;
    // Oldest first, and newest first: a kill in between must not leave a hole.
    const keys = isComplete ? await this.#keys() : (await this.#keys()).toReversed();
    for (const key of keys) if (numberOf(key) < first === isComplete) await this.#storage.removeItem(key);
    await this.#storage.removeItem(begun);
    await this.#storage.removeItem(complete);
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
    const keys = (await this.#storage.getKeys('log')).filter(isOfLog);
    // Redis may name a key twice while its table grows.
    return [...new Set(keys)].toSorted();
  }
}

/** Whether this is the name of a batch. */
export function isOfLog(key: string): boolean {
  return /^log:\d{16}$/.test(key);
}

/** Padded, so that names sort as numbers do. */
function itemKey(number: number): string {
  return `log:${String(number).padStart(16, '0')}`;
}

function numberOf(key: string): number {
  return Number.parseInt(key.slice('log:'.length), 10);
}

/** The entries in an item, or null if the item is not whole. */
function openItem(item: Buffer | null, number: number, key: string): Buffer | null {
  const end = item ? item.indexOf('\n') : -1;
  if (!item || end < 0) return null;
  parseSegmentHeader(item.toString('utf8', 0, end), key);
  const frame = item.subarray(end + 1);
  const header = readFrameHeader(frame);
  if (header?.number !== number || header.bytes !== frame.length) return null;
  return hasIntactBodies(frame, header) ? readFrameEntries(frame, header) : null;
}
