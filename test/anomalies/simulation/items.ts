import type { openUnstorageDriver } from '../../../packages/server/src/storage/unstorage/unstorage.ts';
import type { Process } from './process.ts';
import type { SeededRandom } from '../../test-utils/seeded-random.mjs';

type UnstorageDriver = Parameters<typeof openUnstorageDriver>[2];

/** A key-value storage with the interface of an unstorage driver. A write that fails halfway leaves a random prefix. */
export class Items {
  #items = new Map<string, Buffer>();

  driver(process: Process, random: SeededRandom): UnstorageDriver {
    const items = this.#items;
    return {
      name: 'simulated',
      hasItem: (key) => process.run({ name: `has ${key}`, perform: () => items.has(key) }),
      getItem: (key) => process.run({ name: `get ${key}`, perform: () => items.get(key)?.toString('utf8') ?? null }),
      getItemRaw: (key) => process.run({ name: `get ${key}`, perform: () => items.get(key) ?? null }),
      setItem: (key, value) => set(key, Buffer.from(value)),
      setItemRaw: (key, value: Buffer) => set(key, Buffer.from(value)),
      removeItem: (key) => process.run({ name: `remove ${key}`, perform: () => void items.delete(key) }),
      getKeys: (base) =>
        process.run({ name: `keys ${base}`, perform: () => [...items.keys()].filter((key) => key.startsWith(base)) }),
    };

    function set(key: string, bytes: Buffer): Promise<void> {
      return process.run({
        name: `set ${key} ${bytes.length}`,
        perform: () => void items.set(key, bytes),
        performHalf: () => void items.set(key, bytes.subarray(0, random.below(bytes.length))),
      });
    }
  }

  clone(): Items {
    const copy = new Items();
    copy.#items = new Map(this.#items);
    return copy;
  }
}
