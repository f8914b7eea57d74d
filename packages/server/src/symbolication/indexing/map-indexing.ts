import { createHash } from 'node:crypto';
import { ProblemError } from '../../problem.ts';
import { gatherPieces } from '../../store/codec/gather-pieces.ts';
import { IndexerThread, ThreadEndedError, type IndexerJob } from './indexer-thread.ts';
import { InvalidMapError } from './invalid-map.ts';
import { SourceMapIndexer, type IndexedFacts } from './source-map-indexer.ts';
import { Semaphore } from '../../jobs/semaphore.ts';

/**
 * The thread receives chunks of this size. A smaller map is indexed without the thread, because starting it takes
 * longer than indexing the map.
 */
const uploadChunkBytes = 256 * 1024;
/**
 * The maximum number of large maps that are indexed concurrently. Each takes some megabytes in the thread, and CPU time
 * that reports need. More than one, so that a map near the size limit does not block the others.
 */
const maxLargeMaps = 4;

/** Buffers of chunks that are kept for the next maps. */
const maxSpareBuffers = 8;

/** Maps that are remembered because the thread ended while it indexed them. */
const maxSuspects = 100;
const retryInterruptedSeconds = 5;

/**
 * Builds the indexes of uploaded maps of any size without blocking the event loop. A map that may have ended the thread
 * runs alone in a second thread the next time, so it interrupts no other map twice.
 */
export class MapIndexing {
  readonly #thread: IndexerThread;
  readonly #threadOfSuspect: IndexerThread;
  readonly #suspectTurn = new Semaphore(1);
  /** Hashes of the first chunks of maps that may have ended the thread. */
  readonly #suspects = new Set<string>();
  /** Buffers to reuse. Freed ones would add up in the thread: it allocates little, so it rarely collects garbage. */
  readonly #spareBuffers: Uint8Array[] = [];
  readonly #largeMaps = new Semaphore(maxLargeMaps);

  /** `threadHeapMb` limits the memory of each thread. */
  constructor(threadHeapMb?: number) {
    this.#thread = new IndexerThread(threadHeapMb);
    this.#threadOfSuspect = new IndexerThread(threadHeapMb);
  }

  /**
   * Validates a map as it arrives, yields its index in pieces, and returns the facts about the map. Throws
   * `invalid_source_map` with the reason, `overloaded` if the indexing was interrupted, or the error of the upload. A
   * large map waits for its turn unless it is urgent. Lanes, such as teams, take turns.
   */
  async *index(
    uploaded: AsyncIterable<Uint8Array>,
    { isUrgent = false, lane = 0 }: { isUrgent?: boolean; lane?: number | undefined } = {},
  ): AsyncGenerator<Uint8Array, IndexedFacts> {
    const pieces = gatherPieces(
      uploaded,
      uploadChunkBytes,
      (bytes) => this.#spareBuffers.pop() ?? Buffer.allocUnsafeSlow(bytes),
    );
    try {
      const first = await pieces.next();
      if (!first.done && first.value.length === uploadChunkBytes) {
        const release = isUrgent ? () => undefined : await this.#largeMaps.acquire(lane);
        try {
          return yield* this.#indexLarge(first.value, pieces);
        } finally {
          release();
        }
      }
      const indexer = new SourceMapIndexer();
      if (!first.done) {
        yield* indexer.push(first.value);
        this.#keepBuffer(first.value);
      }
      const { pieces: last, facts } = indexer.finish();
      yield* last;
      return facts;
    } catch (error) {
      if (error instanceof InvalidMapError)
        throw new ProblemError('invalid_source_map', error.message, { cause: error });
      throw error instanceof ThreadEndedError ? problemOf(error) : error;
    } finally {
      await pieces.return(undefined);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#thread.close(), this.#threadOfSuspect.close()]);
  }

  async *#indexLarge(first: Uint8Array, pieces: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array, IndexedFacts> {
    const id = createHash('sha256').update(first).digest('base64');
    const isSuspect = this.#suspects.has(id);
    const release = isSuspect ? await this.#suspectTurn.acquire() : () => undefined;
    try {
      const facts = yield* this.#indexIn(isSuspect ? this.#threadOfSuspect : this.#thread, first, pieces);
      this.#suspects.delete(id);
      return facts;
    } catch (error) {
      if (error instanceof ThreadEndedError && !error.isClosed) this.#suspect(id);
      throw error;
    } finally {
      release();
    }
  }

  async *#indexIn(
    thread: IndexerThread,
    first: Uint8Array,
    pieces: AsyncGenerator<Uint8Array>,
  ): AsyncGenerator<Uint8Array, IndexedFacts> {
    const job = thread.open();
    try {
      yield await this.#indexPiece(job, first);
      for await (const piece of pieces) yield await this.#indexPiece(job, piece);
      const { packed, facts } = await job.send(null);
      yield packed;
      if (!facts) throw new Error('The index of a source map ended without facts.');
      return facts;
    } finally {
      job.end();
    }
  }

  async #indexPiece(job: IndexerJob, piece: Uint8Array): Promise<Uint8Array> {
    const { packed, sent } = await job.send(piece);
    if (sent) this.#keepBuffer(sent);
    return packed;
  }

  #suspect(id: string): void {
    this.#suspects.add(id);
    const [oldest] = this.#suspects;
    if (this.#suspects.size > maxSuspects && oldest !== undefined) this.#suspects.delete(oldest);
  }

  #keepBuffer({ buffer }: Uint8Array): void {
    if (this.#spareBuffers.length < maxSpareBuffers) this.#spareBuffers.push(new Uint8Array(buffer));
  }
}

/**
 * Returns whether an index was not built because another map may have ended the thread. The next time, the map is
 * indexed alone.
 */
export function wasInterrupted(error: unknown): boolean {
  const cause = error instanceof ProblemError ? error.cause : null;
  return cause instanceof ThreadEndedError && cause.isShared && !cause.isClosed;
}

function problemOf(error: ThreadEndedError): Error {
  if (error.isShared || error.isClosed)
    return new ProblemError('overloaded', 'The indexing of the source map was interrupted. Upload it again.', {
      retryAfterSeconds: retryInterruptedSeconds,
      cause: error,
    });
  if (!error.isOutOfMemory) return error;
  return new ProblemError('invalid_source_map', 'The source map needs more memory than the server allows for one.', {
    cause: error,
  });
}
