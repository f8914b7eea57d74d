import type { Services } from '../services.ts';
import { storeIndex, type StoredIndex } from '../symbolication/store-index.ts';

/**
 * Takes a map in as it comes: it is checked, indexed and stored in pieces. Rejects with `invalid_source_map`, or with the
 * error that the pieces end in; then nothing is kept. What was received has to be kept or forgotten by `removeBlob`.
 */
export function receiveSourceMap(
  { store, mapIndexer }: Pick<Services, 'store' | 'mapIndexer'>,
  pieces: AsyncIterable<Uint8Array>,
): Promise<StoredIndex> {
  return storeIndex(store, mapIndexer, pieces);
}

/** A blob that stays behind is removed at the next start: nobody has to be told. */
export async function removeBlob({ store, log }: Pick<Services, 'store' | 'log'>, blob: string): Promise<void> {
  await store.blobs.remove(blob).catch((error: unknown) => log.warn({ err: error }, 'a source map was not removed'));
}
