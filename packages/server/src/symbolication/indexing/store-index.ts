import { randomUUID } from 'node:crypto';
import type { Store } from '../../store/store.ts';
import type { MapIndexer } from './map-indexer.ts';
import type { IndexedFacts } from './source-map-indexer.ts';

/** An index in the storage that no record points to yet. */
export interface StoredIndex {
  blob: string;
  bytes: number;
  /** The facts about the map that it was built from. */
  map: IndexedFacts & { size: number };
}

/**
 * Indexes a map as it arrives, and stores the index. A large map takes no more memory than a small one, and no piece
 * blocks the event loop. Rejects with `invalid_source_map`, or with the error of the upload; then nothing is stored.
 */
export async function storeIndex(
  store: Pick<Store, 'blobs'>,
  indexer: MapIndexer,
  uploaded: AsyncIterable<Uint8Array>,
  options: { isUrgent?: boolean; lane?: number | undefined } = {},
): Promise<StoredIndex> {
  const blob = `map-${randomUUID()}`;
  const counts = { size: 0, bytes: 0 };
  let facts = null as IndexedFacts | null;
  async function* index(): AsyncGenerator<Uint8Array> {
    facts = yield* indexer.index(
      countBytes(uploaded, (bytes) => (counts.size += bytes)),
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
