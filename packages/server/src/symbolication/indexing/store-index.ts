import { randomUUID } from 'node:crypto';
import type { Store } from '../../store/store.ts';
import { wasInterrupted, type MapIndexing } from './map-indexing.ts';
import type { IndexedFacts } from './source-map-indexer.ts';

/** An index in the storage that no record points to yet. */
export interface StoredIndex {
  blob: string;
  bytes: number;
  /** The facts about the map that it was built from. */
  map: IndexedFacts & { size: number };
}

/** Where the bytes of a map come from, and when it is indexed. */
export interface IndexedUpload {
  /** Yields the map from the beginning whenever it is called. */
  read: () => AsyncIterable<Uint8Array>;
  isUrgent?: boolean;
  lane?: number | undefined;
}

/**
 * Indexes a map, and stores the index. A large map takes no more memory than a small one, and no piece blocks the event
 * loop. If another map may have ended the thread, this one is read again and indexed alone. Rejects with
 * `invalid_source_map`, `overloaded`, `storage_unavailable` or the error of the upload; then nothing is stored.
 */
export async function storeIndex(
  store: Pick<Store, 'blobs'>,
  indexing: MapIndexing,
  upload: IndexedUpload,
): Promise<StoredIndex> {
  return storeOnce(store, indexing, upload).catch((error: unknown) => {
    if (wasInterrupted(error)) return storeOnce(store, indexing, upload);
    throw error;
  });
}

async function storeOnce(
  store: Pick<Store, 'blobs'>,
  indexing: MapIndexing,
  { read, ...options }: IndexedUpload,
): Promise<StoredIndex> {
  const blob = `map-${randomUUID()}`;
  const counts = { size: 0, bytes: 0 };
  let facts = null as IndexedFacts | null;
  async function* index(): AsyncGenerator<Uint8Array> {
    facts = yield* indexing.index(
      countBytes(read(), (bytes) => (counts.size += bytes)),
      options,
    );
  }
  await store.blobs.putPieces(
    blob,
    countBytes(index(), (bytes) => (counts.bytes += bytes)),
  );
  if (!facts) throw new Error('An index was stored before its source map was read to the end.');
  return { blob, bytes: counts.bytes, map: { ...facts, size: counts.size } };
}

async function* countBytes(
  pieces: AsyncIterable<Uint8Array>,
  count: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    count(piece.length);
    yield piece;
  }
}
