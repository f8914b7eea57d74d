import type { Model } from './model.ts';

/** Returns the names of all blobs that the model refers to. */
export function blobNames({ tables }: Model): Set<string> {
  return new Set(Array.from(tables.source_maps.values(), (map) => map.blob));
}
