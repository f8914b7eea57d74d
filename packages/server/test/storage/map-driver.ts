import type { Driver as UnstorageDriver } from 'unstorage';

/** An unstorage driver that only stores text, like half of the real ones. The items remain in the map. */
export function mapDriver(items: Map<string, string>): UnstorageDriver {
  return {
    name: 'map',
    hasItem: (key) => items.has(key),
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
    getKeys: () => [...items.keys()],
  };
}
