import { Worker } from 'node:worker_threads';
import { workerFile } from './worker-file.ts';
import { InvalidMapError } from './source-map-check.ts';
import type { IndexedFacts } from './source-map-indexer.ts';

/** What the thread is told of one of the maps it works at. */
export interface IndexerQuestion {
  job: number;
  /** The next ones; null: there are no more. */
  bytes: Uint8Array | null;
  /** Nobody waits for this map any more. No answer comes. */
  isOver: boolean;
}

export interface IndexerAnswer {
  job: number;
  /** The next bytes of the index. */
  packed: Uint8Array<ArrayBuffer>;
  /** With the last ones. */
  facts: IndexedFacts | null;
  /** Why the map is none. */
  refused?: string;
  /** A defect. */
  failed?: unknown;
}

/** A map that the thread works at. */
export interface IndexerJob {
  /** Gives the next bytes away, or says that there are no more. Rejects with an InvalidMapError. */
  ask(bytes: Uint8Array | null): Promise<IndexerAnswer>;
  end(): void;
}

/** So long it waits for another map before it ends. */
const idleMs = 30_000;
/** It needs a tenth of that, whatever the map. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };

/** The thread in which indexes are made: started by the first map, ended when none has come for a while. */
export class IndexerThread {
  #running: Running | null = null;
  #idle: NodeJS.Timeout | null = null;

  open(): IndexerJob {
    if (this.#idle) clearTimeout(this.#idle);
    if (!this.#running?.isAlive) this.#running = new Running();
    const running = this.#running;
    const job = running.open();
    return {
      ask: (bytes) => job.ask(bytes),
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

interface Waiting {
  resolve(answer: IndexerAnswer): void;
  reject(error: unknown): void;
}

/** A thread, from its start to its end. */
class Running {
  isAlive = true;
  /** Maps that it works at. */
  jobs = 0;
  readonly #waiting = new Map<number, Waiting>();
  readonly #worker: Worker;
  #lastJob = 0;

  constructor() {
    // What the process was started with (an inspector, modules to load first) is not meant for it.
    this.#worker = new Worker(workerFile('indexer-worker'), { execArgv: [], env: {}, resourceLimits });
    this.#worker.on('message', (answer: IndexerAnswer) => this.#take(answer));
    let cause: unknown;
    this.#worker.on('error', (error) => (cause = error));
    this.#worker.on('exit', () => this.#end(cause));
  }

  open(): IndexerJob {
    const job = ++this.#lastJob;
    if (++this.jobs === 1) this.#worker.ref();
    return {
      ask: (bytes) =>
        new Promise((resolve, reject) => {
          if (!this.isAlive) return reject(ended());
          this.#waiting.set(job, { resolve, reject });
          this.#post({ job, bytes, isOver: false });
        }),
      end: () => {
        this.#waiting.delete(job);
        this.#post({ job, bytes: null, isOver: true });
        if (--this.jobs === 0) this.#worker.unref();
      },
    };
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  #post(question: IndexerQuestion): void {
    const { bytes } = question;
    // What has a buffer of its own is given away, not copied.
    const isOwn = bytes?.buffer instanceof ArrayBuffer && bytes.length === bytes.buffer.byteLength;
    this.#worker.postMessage(question, isOwn ? [bytes.buffer] : []);
  }

  #take(answer: IndexerAnswer): void {
    const waiting = this.#waiting.get(answer.job);
    this.#waiting.delete(answer.job);
    if (answer.refused !== undefined) waiting?.reject(new InvalidMapError(answer.refused));
    else if (answer.failed !== undefined) waiting?.reject(answer.failed);
    else waiting?.resolve(answer);
  }

  #end(cause: unknown): void {
    this.isAlive = false;
    for (const { reject } of this.#waiting.values()) reject(ended(cause));
    this.#waiting.clear();
  }
}

function ended(cause?: unknown): Error {
  return new Error('The thread that indexes source maps has ended.', { cause });
}
