import type { Services } from '../services.ts';
import { storeIndex, type StoredIndex } from '../symbolication/indexing/store-index.ts';

/**
 * Validates, indexes and stores a map in pieces, which `read` yields from the beginning whenever it is called. Large
 * maps wait for a turn; lanes, such as teams, take turns. Rejects with `invalid_source_map`, or with the error of the
 * upload; then nothing is stored. The caller must record the result or remove it with `removeBlob`.
 */
export function receiveSourceMap(
  { store, mapIndexing }: Pick<Services, 'store' | 'mapIndexing'>,
  read: () => AsyncIterable<Uint8Array>,
  lane?: number,
): Promise<StoredIndex> {
  return storeIndex(store, mapIndexing, { read, lane });
}
