import type { Services } from '../services.ts';
import { storeIndex, type StoredIndex } from '../symbolication/indexing/store-index.ts';

/**
 * Validates and indexes a map, and stores the index. `read` yields the map from the beginning on each call, because an
 * interrupted map is read again. Only a few large maps are indexed at a time; lanes, such as teams, take turns. Rejects
 * with `invalid_source_map`, `overloaded`, `storage_unavailable` or the error of the upload; then nothing is stored.
 * The caller must record the result or remove it with `removeBlob`.
 */
export function receiveSourceMap(
  { store, mapIndexing }: Pick<Services, 'store' | 'mapIndexing'>,
  read: () => AsyncIterable<Uint8Array>,
  lane?: number,
): Promise<StoredIndex> {
  return storeIndex(store, mapIndexing, { read, lane });
}
