import { parentPort } from 'node:worker_threads';
import { lowerThreadPriority } from '../workers/priority.ts';
import type { IndexerResponse, IndexerRequest } from './indexer-thread.ts';
import { InvalidMapError } from './invalid-map.ts';
import { SourceMapIndexer } from './source-map-indexer.ts';

lowerThreadPriority();

const indexers = new Map<number, SourceMapIndexer>();

parentPort?.on('message', ({ job, bytes, isAborted }: IndexerRequest) => {
  if (isAborted) indexers.delete(job);
  else postResult(job, bytes);
});

function postResult(job: number, bytes: Uint8Array | null): void {
  let response: IndexerResponse;
  try {
    response = work(job, bytes);
  } catch (error) {
    const isInvalidMap = error instanceof InvalidMapError;
    response = {
      job,
      packed: emptyBytes(),
      sent: null,
      facts: null,
      ...(isInvalidMap ? { rejected: error.message } : { failed: error }),
    };
  }
  const { packed, sent } = response;
  parentPort?.postMessage(response, sent ? [packed.buffer, sent.buffer as ArrayBuffer] : [packed.buffer]);
}

/** Indexes the next bytes. `null` ends the map. */
function work(job: number, bytes: Uint8Array | null): IndexerResponse {
  const indexer = indexers.get(job) ?? new SourceMapIndexer();
  indexers.set(job, indexer);
  if (bytes) return { job, packed: join(indexer.push(bytes)), sent: bytes, facts: null };
  const { pieces, facts } = indexer.finish();
  return { job, packed: join(pieces), sent: null, facts };
}

const emptyBytes = (): Uint8Array<ArrayBuffer> => new Uint8Array(0);

/** Joins the pieces in one new buffer, which can be transferred. */
function join(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}
