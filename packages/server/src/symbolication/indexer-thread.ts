import { Worker } from 'node:worker_threads';
import { workerFile } from './worker-file.ts';
import { InvalidMapError } from './source-map-check.ts';
import type { IndexedFacts } from './source-map-indexer.ts';

/** What the thread is told of one of the maps it works at. */
export interface IndexerRequest {
  job: number;
  /** The next ones; null: there are no more. */
  bytes: Uint8Array | null;
  /** Nobody waits for this map any more. No answer comes. */
  isAborted: boolean;
}

export interface IndexerResponse {
  job: number;
  /** The next bytes of the index. */
  packed: Uint8Array<ArrayBuffer>;
  /** With the last ones. */
  facts: IndexedFacts | null;
  /** Why the map is none. */
  rejected?: string;
  /** A defect. */
  failed?: unknown;
}

/** A map that the thread works at. */
export interface IndexerJob {
  /** Gives the next bytes away, or says that there are no more. Rejects with an InvalidMapError. */
  send(bytes: Uint8Array | null): Promise<IndexerResponse>;
  end(): void;
}

/** So long it waits for another map before it ends. */
const idleMs = 30_000;
/** It needs a tenth of that, whatever the map. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };

/** The thread in which indexes are made: started by the first map, ended when none has come for a while. */
export class IndexerThread {
  #running: RunningThread | null = null;
  #idle: NodeJS.Timeout | null = null;

  open(): IndexerJob {
    if (this.#idle) clearTimeout(this.#idle);
    if (!this.#running?.isAlive) this.#running = new RunningThread();
    const running = this.#running;
    const job = running.open();
    return {
      send: (bytes) => job.send(bytes),
      end: () => {
        job.end();
        if (running.jobs === 0 && running === this.#running)
          this.#idle = setTimeout(() => void this.close(), idleMs).unref();
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

/** A thread, from its start to its end. */
class RunningThread {
  isAlive = true;
  /** Maps that it works at. */
  jobs = 0;
  readonly #pending = new Map<number, PendingRequest>();
  readonly #worker: Worker;
  #lastJob = 0;

  constructor() {
    // What the process was started with (an inspector, modules to load first) is not meant for it.
    this.#worker = new Worker(workerFile('indexer-worker'), { execArgv: [], env: {}, resourceLimits });
    this.#worker.on('message', (response: IndexerResponse) => this.#receive(response));
    let cause: unknown;
    this.#worker.on('error', (error) => (cause = error));
    this.#worker.on('exit', () => this.#onExit(cause));
  }

  open(): IndexerJob {
    const job = ++this.#lastJob;
    if (++this.jobs === 1) this.#worker.ref();
    return {
      send: (bytes) =>
        new Promise((resolve, reject) => {
          if (!this.isAlive) return reject(threadEnded());
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
    const { bytes } = request;
    // What has a buffer of its own is given away, not copied.
    const isOwn = bytes?.buffer instanceof ArrayBuffer && bytes.length === bytes.buffer.byteLength;
    this.#worker.postMessage(request, isOwn ? [bytes.buffer] : []);
  }

  #receive(response: IndexerResponse): void {
    const waiting = this.#pending.get(response.job);
    this.#pending.delete(response.job);
    if (response.rejected !== undefined) waiting?.reject(new InvalidMapError(response.rejected));
    else if (response.failed !== undefined) waiting?.reject(response.failed);
    else waiting?.resolve(response);
  }

  #onExit(cause: unknown): void {
    this.isAlive = false;
    for (const { reject } of this.#pending.values()) reject(threadEnded(cause));
    this.#pending.clear();
  }
}

function threadEnded(cause?: unknown): Error {
  return new Error('The thread that indexes source maps has ended.', { cause });
}
