import { createStorage, type Driver as UnstorageDriver, type Storage as UnstorageStorage } from 'unstorage';
import { DamagedStorageError, type Blobs, type Driver, type Log, type LoggedBatch } from '../driver.ts';
import { frameBatch, frameHeaderBytes, openFrame } from '../frame.ts';

/** The log and the blobs over any unstorage driver: one fresh item a batch, one a blob. */
export function openUnstorageDriver(name: string, promise: string, driver: UnstorageDriver): Driver {
  const storage = createStorage({ driver });
  return { name, promise, log: new ItemLog(storage), blobs: new ItemBlobs(storage), close: () => storage.dispose() };
}

class ItemLog implements Log {
  readonly #storage: UnstorageStorage;

  constructor(storage: UnstorageStorage) {
    this.#storage = storage;
  }

  async *read(): AsyncGenerator<LoggedBatch> {
    const keys = (await this.#storage.getKeys('log')).toSorted();
    for (const [index, key] of keys.entries()) {
      const batch = await this.#batch(key);
      if (batch) yield { number: batch.number, position: batch.number, bytes: batch.bytes };
      else if (index === keys.length - 1) await this.#storage.removeItem(key);
      else throw new DamagedStorageError(`Item ${key} of the log is damaged, and there are later ones.`);
    }
  }

  async append(number: number, bytes: Uint8Array): Promise<number> {
    await this.#storage.setItemRaw(itemKey(number), frameBatch(number, bytes));
    return number;
  }

  async readAt(position: number, offset: number, length: number): Promise<Uint8Array> {
    const frame = await this.#item(itemKey(position));
    const start = frameHeaderBytes + offset;
    return frame?.subarray(start, start + length) ?? new Uint8Array();
  }

  async #batch(key: string): Promise<{ number: number; bytes: Buffer } | null> {
    const frame = await this.#item(key);
    const batch = frame && openFrame(frame);
    return batch && itemKey(batch.number) === key ? batch : null;
  }

  async #item(key: string): Promise<Buffer | null> {
    return asBuffer(await this.#storage.getItemRaw<unknown>(key));
  }
}

class ItemBlobs implements Blobs {
  readonly #storage: UnstorageStorage;

  constructor(storage: UnstorageStorage) {
    this.#storage = storage;
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    await this.#storage.setItemRaw(`blob:${name}`, bytes);
  }

  async get(name: string): Promise<Uint8Array | null> {
    return asBuffer(await this.#storage.getItemRaw<unknown>(`blob:${name}`));
  }

  async remove(name: string): Promise<void> {
    await this.#storage.removeItem(`blob:${name}`);
  }

  async names(): Promise<string[]> {
    return (await this.#storage.getKeys('blob')).map((key) => key.slice('blob:'.length));
  }
}

/** Padded, so that names sort as numbers do. */
function itemKey(number: number): string {
  return `log:${String(number).padStart(16, '0')}`;
}

/** Drivers give raw values back as they please. */
function asBuffer(value: unknown): Buffer | null {
  if (Buffer.isBuffer(value)) return value;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return Buffer.from(value);
  return null;
}
