import type { Storage as UnstorageStorage } from 'unstorage';
import type { Blobs } from '../driver.ts';
import { getRawItem } from './raw-item.ts';

/** Blobs as items, one each. */
export class ItemBlobs implements Blobs {
  readonly #storage: UnstorageStorage;

  constructor(storage: UnstorageStorage) {
    this.#storage = storage;
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    await this.#storage.setItemRaw(`blob:${name}`, bytes);
  }

  async get(name: string): Promise<Uint8Array | null> {
    return getRawItem(this.#storage, `blob:${name}`);
  }

  async remove(name: string): Promise<void> {
    await this.#storage.removeItem(`blob:${name}`);
  }

  async names(): Promise<string[]> {
    const keys = await this.#storage.getKeys('blob');
    // Redis may name a key twice while its table grows.
    return [...new Set(keys)].map((key) => key.slice('blob:'.length));
  }
}
