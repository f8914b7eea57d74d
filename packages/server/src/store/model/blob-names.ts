import type { Model } from './model.ts';

/** The blobs that somebody knows of. */
export function blobNames({ tables }: Model): Set<string> {
  return new Set(Array.from(tables.source_maps.values(), (map) => map.blob));
}
