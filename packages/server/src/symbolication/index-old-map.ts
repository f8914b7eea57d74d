import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ProblemError } from '../problem.ts';
import { DamagedStorageError } from '../store/log/driver.ts';
import { storageUnavailable } from '../store/log/ledger.ts';
import type { SourceMapRecord } from '../store/records/records.ts';
import { unusedBlobs } from '../store/shared-blobs.ts';
import type { Store } from '../store/store.ts';
import { DamagedIndexError } from './map-index/damaged-index-error.ts';
import type { MapIndexer } from './map-indexer.ts';
import { storeIndex } from './store-index.ts';

/** Where an index lies, and how large it is. */
export interface IndexBlob {
  blob: string;
  bytes: number;
}

/**
 * Gives an index to a map that was stored before there were indexes: the blob is the map itself, gzipped. Its record says
 * so from then on. Rejects with a DamagedIndexError if the map can't be read, or if it is gone meanwhile.
 */
export async function indexOldMap(
  store: Store,
  indexer: MapIndexer,
  { id, blob: old }: SourceMapRecord,
): Promise<IndexBlob> {
  // A report waits for it: it does not wait for uploads.
  const index = await storeIndex(store, indexer, unpacked(store, old), { isUrgent: true }).catch((error: unknown) => {
    if (error instanceof ProblemError && error.code === 'storage_unavailable') throw error;
    throw new DamagedIndexError('the map that it is made of can not be read', { cause: error });
  });
  const unused = await store.commit((transaction) => {
    const map = transaction.get('source_maps', id);
    const isThere = map?.blob === old && transaction.get('projects', map.project_id);
    if (isThere)
      transaction.put('source_maps', { ...map, blob: index.blob, hash: index.map.hash, index_bytes: index.bytes });
    return unusedBlobs(transaction, [{ blob: old }, index]);
  });
  // What a failure leaves behind is removed at the next start.
  await Promise.allSettled(unused.map((blob) => store.blobs.remove(blob)));
  if (unused.includes(index.blob)) throw new DamagedIndexError('its map has been deleted');
  return { blob: index.blob, bytes: index.bytes };
}

function unpacked(store: Store, blob: string): AsyncIterable<Uint8Array> {
  // Whoever reads what is unpacked is told of an error.
  return pipeline(storedPieces(store, blob), createGunzip(), () => undefined);
}

async function* storedPieces(store: Store, blob: string): AsyncGenerator<Uint8Array> {
  try {
    yield* store.blobs.getPieces(blob);
  } catch (error) {
    throw error instanceof DamagedStorageError ? error : storageUnavailable(error);
  }
}
