import { Worker } from 'node:worker_threads';
import { workerFile } from '../workers/worker-file.ts';
import { InvalidMapError } from './invalid-map.ts';
import type { IndexedFacts } from './source-map-indexer.ts';

/** A message to the thread about one of its maps. */
export interface IndexerRequest {
  job: number;
  /** The next bytes; null at the end of the map. */
  bytes: Uint8Array | null;
  /** The caller no longer waits for this map. The thread does not respond. */
  isAborted: boolean;
}

export interface IndexerResponse {
  job: number;
  /** The next bytes of the index. */
  packed: Uint8Array<ArrayBuffer>;
  /** The bytes of the request, whose buffer can be used again. */
  sent: Uint8Array | null;
  /** Set in the last response. */
  facts: IndexedFacts | null;
  /** The reason why the file is not a usable map. */
  rejected?: string;
  /** An unexpected error of the thread. */
  failed?: unknown;
}

/** A map that the thread indexes. */
export interface IndexerJob {
  /**
   * Transfers the buffer of the next bytes, or signals the end with null. Rejects with an InvalidMapError, a
   * ThreadEndedError or an unexpected error of the thread.
   */
  send(bytes: Uint8Array | null): Promise<IndexerResponse>;
  end(): void;
}

/** The thread has ended before a map was indexed. `cause` is the error that ended it; undefined if it was closed. */
export class ThreadEndedError extends Error {
  override readonly name = 'ThreadEndedError';
  /** True if the thread had several maps, so any of them may have ended it. */
  readonly isShared: boolean;

  constructor(isShared: boolean, cause: unknown) {
    super('The thread that indexes source maps has ended.', { cause });
    this.isShared = isShared;
  }

  get isClosed(): boolean {
    return this.cause === undefined;
  }

  get isOutOfMemory(): boolean {
    return (Object(this.cause) as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';
  }
}

/** The thread ends after this time without a map. */
const threadIdleMs = 30_000;
/** Any valid map needs only a tenth of this heap. */
const maxThreadHeapMb = 256;
const maxYoungGenerationSizeMb = 8;

/** The thread that builds indexes. Starts with the first map and ends when it is idle. */
export class IndexerThread {
  readonly #heapMb: number;
  #running: RunningThread | null = null;
  #idle: NodeJS.Timeout | null = null;

  constructor(heapMb = maxThreadHeapMb) {
    this.#heapMb = heapMb;
  }

  open(): IndexerJob {
    if (this.#idle) clearTimeout(this.#idle);
    if (!this.#running?.isAlive) this.#running = new RunningThread(this.#heapMb);
    const running = this.#running;
    const job = running.open();
    return {
      send: (bytes) => job.send(bytes),
      end: () => {
        job.end();
        if (running.jobs === 0 && running === this.#running)
          this.#idle = setTimeout(() => void this.close(), threadIdleMs).unref();
      },
    };
  }

  async close(): Promise<void> {
    if (this.#idle) clearTimeout(this.#idle);
    const running = this.#running;
    this.#running = null;
    await running?.terminate();
  }
}

interface PendingRequest {
  resolve(response: IndexerResponse): void;
  reject(error: unknown): void;
}

/** A thread from its start to its exit. */
class RunningThread {
  /** The number of maps in progress. */
  jobs = 0;
  #end: ThreadEndedError | null = null;
  readonly #pending = new Map<number, PendingRequest>();
  readonly #worker: Worker;
  #lastJob = 0;

  constructor(maxOldGenerationSizeMb: number) {
    const resourceLimits = { maxOldGenerationSizeMb, maxYoungGenerationSizeMb };
    // The options of the process (an inspector, preloaded modules) are not meant for the thread.
    this.#worker = new Worker(workerFile('indexer-worker'), { execArgv: [], env: {}, resourceLimits });
    this.#worker.on('message', (response: IndexerResponse) => this.#receive(response));
    let cause: unknown;
    this.#worker.on('error', (error) => (cause = error));
    this.#worker.on('exit', () => this.#onExit(cause));
  }

  get isAlive(): boolean {
    return !this.#end;
  }

  open(): IndexerJob {
    const job = ++this.#lastJob;
    if (++this.jobs === 1) this.#worker.ref();
    return {
      send: (bytes) =>
        new Promise((resolve, reject) => {
          if (this.#end) return reject(this.#end);
          this.#pending.set(job, { resolve, reject });
          this.#post({ job, bytes, isAborted: false });
        }),
      end: () => {
        this.#pending.delete(job);
        this.#post({ job, bytes: null, isAborted: true });
        if (--this.jobs === 0) this.#worker.unref();
      },
    };
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  #post(request: IndexerRequest): void {
    this.#worker.postMessage(request, request.bytes ? [request.bytes.buffer as ArrayBuffer] : []);
  }

  #receive(response: IndexerResponse): void {
    const waiting = this.#pending.get(response.job);
    this.#pending.delete(response.job);
    if (response.rejected !== undefined) waiting?.reject(new InvalidMapError(response.rejected));
    else if (response.failed !== undefined) waiting?.reject(response.failed);
    else waiting?.resolve(response);
  }

  #onExit(cause: unknown): void {
    this.#end = new ThreadEndedError(this.jobs > 1, cause);
    for (const { reject } of this.#pending.values()) reject(this.#end);
    this.#pending.clear();
  }
}
