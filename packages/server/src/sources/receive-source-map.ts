import { randomUUID } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import type { Services } from '../services.ts';
import type { SourceMapRecord } from '../store/records.ts';
import { SourceMapCheck, type SourceMapFacts } from './source-map-check.ts';

/** Higher levels take two to eight times as long and save a tenth: most of a map is mappings. */
const packing = { level: constants.Z_BEST_SPEED, chunkSize: 64 * 1024 };

/** A map that was checked and lies in the storage, where nobody knows of it yet. */
export interface ReceivedMap {
  blob: string;
  /** Bytes, as uploaded. */
  size: number;
  facts: SourceMapFacts;
}

/**
 * Takes a map in as it comes: it is checked, packed and stored in pieces, so that a large one takes no more memory than a
 * small one, and no piece holds up anybody. Rejects with `invalid_source_map`, or with the error that the pieces end in;
 * then nothing is kept. What was received has to be kept or forgotten by `removeBlob`.
 */
export async function receiveSourceMap(
  { store }: Pick<Services, 'store'>,
  pieces: AsyncIterable<Uint8Array>,
): Promise<ReceivedMap> {
  const blob = `map-${randomUUID()}`;
  const check = new SourceMapCheck();
  let size = 0;
  let facts: SourceMapFacts | null = null;
  await pipeline(
    pieces,
    async function* (uploaded: AsyncIterable<Uint8Array>) {
      for await (const bytes of uploaded) {
        size += bytes.length;
        check.push(bytes);
        yield bytes;
      }
      facts = check.finish();
    },
    createGzip(packing),
    (packed: AsyncIterable<Uint8Array>) => store.blobs.putPieces(blob, packed),
  );
  if (!facts) throw new Error('A source map was stored before it was read to its end.');
  return { blob, size, facts };
}

/** A blob that stays behind is removed at the next start: nobody has to be told. */
export async function removeBlob(
  { store, log }: Pick<Services, 'store' | 'log'>,
  { blob }: Pick<SourceMapRecord, 'blob'>,
): Promise<void> {
  await store.blobs.remove(blob).catch((error: unknown) => log.warn({ err: error }, 'a source map was not removed'));
}
