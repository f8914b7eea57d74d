import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ProblemError } from '../../problem.ts';
import { DamagedStorageError } from '../../store/log/storage-errors.ts';
import { storageUnavailable } from '../../store/log/ledger.ts';
import type { SourceMapRecord } from '../../store/records/source-map-records.ts';
import { unusedBlobs } from '../../store/shared-blobs.ts';
import type { Store } from '../../store/store.ts';
import { DamagedIndexError } from '../map-index/damaged-index-error.ts';
import type { MapIndexing } from './map-indexing.ts';
import { storeIndex } from './store-index.ts';

/** The blob that contains an index, and its size. */
export interface IndexBlob {
  blob: string;
  bytes: number;
}

/**
 * Builds the index of a map that was stored before indexes existed: its blob is the gzipped map itself. Updates the
 * record to point to the index. Rejects with a DamagedIndexError if the map cannot be read or has been deleted, and
 * with `storage_unavailable` or `overloaded`.
 */
export async function indexOldMap(
  store: Store,
  indexing: MapIndexing,
  { id, blob: old }: SourceMapRecord,
): Promise<IndexBlob> {
  // Urgent because a report waits for the index, which must not queue behind uploads.
  const upload = { read: () => unpacked(store, old), isUrgent: true };
  const index = await storeIndex(store, indexing, upload).catch((error: unknown) => {
    if (error instanceof ProblemError && isTransient(error)) throw error;
    throw new DamagedIndexError('its source map cannot be read', { cause: error });
  });
  const unused = await store.commit((transaction) => {
    const map = transaction.get('source_maps', id);
    const isThere = map?.blob === old && transaction.get('projects', map.project_id);
    if (isThere)
      transaction.put('source_maps', { ...map, blob: index.blob, hash: index.map.hash, index_bytes: index.bytes });
    return unusedBlobs(transaction, [{ blob: old }, index]);
  });
  // Blobs that cannot be removed now are removed at the next start.
  await Promise.allSettled(unused.map((blob) => store.blobs.remove(blob)));
  if (unused.includes(index.blob)) throw new DamagedIndexError('its map has been deleted');
  return { blob: index.blob, bytes: index.bytes };
}

function isTransient({ code }: ProblemError): boolean {
  return code === 'storage_unavailable' || code === 'overloaded';
}

function unpacked(store: Store, blob: string): AsyncIterable<Uint8Array> {
  // The reader of the unpacked stream receives the error.
  return pipeline(storedPieces(store, blob), createGunzip(), () => undefined);
}

async function* storedPieces(store: Store, blob: string): AsyncGenerator<Uint8Array> {
  try {
    yield* store.blobs.getPieces(blob);
  } catch (error) {
    throw error instanceof DamagedStorageError ? error : storageUnavailable(error);
  }
}
