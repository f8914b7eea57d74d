import type { Driver as UnstorageDriver } from 'unstorage';

/** A driver of unstorage that knows text only, as half of them do, over a map that outlives it. */
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
