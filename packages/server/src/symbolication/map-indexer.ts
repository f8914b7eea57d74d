import { ProblemError } from '../problem.ts';
import { gather } from '../store/codec/gather.ts';
import { IndexerThread } from './indexer-thread.ts';
import { InvalidMapError } from './source-map-check.ts';
import { SourceMapIndexer, type IndexedFacts } from './source-map-indexer.ts';
import { Semaphore } from './semaphore.ts';

/**
 * The thread is handed so many bytes at a time. A map that has no more is not worth a thread: to start one takes longer
 * than to index it.
 */
const chunkBytes = 256 * 1024;
/**
 * Large maps that are in the works: each holds some megabytes in the thread, and takes a share of the time of the reports.
 * More than one, so that a slow line holds up nobody.
 */
const maxLargeMaps = 4;

/** Makes the indexes of maps that are uploaded, however large, without holding up anybody. */
export class MapIndexer {
  readonly #thread = new IndexerThread();
  readonly #largeMaps = new Semaphore(maxLargeMaps);

  /** Whether others wait for one of which so many bytes have come. */
  hasWaiters(bytes: number): boolean {
    return bytes >= chunkBytes && this.#largeMaps.hasWaiters;
  }

  /**
   * Checks a map as it comes and gives its index in pieces, at last what is known of the map. Throws `invalid_source_map`
   * with the reason, or the error that the map ends in. A large one waits for its turn unless it is urgent.
   */
  async *index(
    uploaded: AsyncIterable<Uint8Array>,
    { isUrgent = false } = {},
  ): AsyncGenerator<Uint8Array, IndexedFacts> {
    const pieces = gather(uploaded, chunkBytes);
    try {
      const first = await pieces.next();
      if (!first.done && first.value.length === chunkBytes) {
        const end = isUrgent ? () => undefined : await this.#largeMaps.acquire();
        try {
          return yield* this.#indexLarge(first.value, pieces);
        } finally {
          end();
        }
      }
      const indexer = new SourceMapIndexer();
      if (!first.done) yield* indexer.push(first.value);
      const { pieces: last, facts } = indexer.finish();
      yield* last;
      return facts;
    } catch (error) {
      if (error instanceof InvalidMapError)
        throw new ProblemError('invalid_source_map', error.message, { cause: error });
      throw error;
    } finally {
      await pieces.return(undefined);
    }
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  async *#indexLarge(first: Uint8Array, pieces: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array, IndexedFacts> {
    const job = this.#thread.open();
    try {
      yield (await job.send(first)).packed;
      for await (const piece of pieces) yield (await job.send(piece)).packed;
      const { packed, facts } = await job.send(null);
      yield packed;
      if (!facts) throw new Error('A source map was indexed without an end.');
      return facts;
    } finally {
      job.end();
    }
  }
}
