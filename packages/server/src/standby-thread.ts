import { Worker, type ResourceLimits } from 'node:worker_threads';

export interface StandbyThreadOptions {
  /** So long it waits for the next question before it ends. */
  idleMs: number;
  /** Past these it dies, and nothing else with it. */
  resourceLimits: ResourceLimits;
}

/**
 * A worker thread for questions that come now and then: started by the first one, ended when none has come for a while,
 * and replaced when it hangs or dies. It is to answer each message with one of its own, and is asked one at a time.
 */
export class StandbyThread {
  readonly #file: URL;
  readonly #options: StandbyThreadOptions;
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | null = null;

  constructor(file: URL, options: StandbyThreadOptions) {
    this.#file = file;
    this.#options = options;
  }

  /** Resolves with what the thread answers. Rejects if it dies of the question or has no answer after `limitMs`. */
  async ask<Answer>(question: unknown, limitMs: number): Promise<Answer> {
    if (this.#idle) clearTimeout(this.#idle);
    const worker = (this.#worker ??= this.#start());
    try {
      const answer = await answerOf<Answer>(worker, question, limitMs);
      worker.unref();
      this.#idle = setTimeout(() => void this.close(), this.#options.idleMs).unref();
      return answer;
    } catch (error) {
      this.#worker = null;
      await worker.terminate();
      throw error;
    }
  }

  async close(): Promise<void> {
    if (this.#idle) clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  #start(): Worker {
    // What the process was started with (inspectors, modules to load first) is not meant for this.
    return new Worker(this.#file, { execArgv: [], env: {}, resourceLimits: this.#options.resourceLimits });
  }
}

function answerOf<Answer>(worker: Worker, question: unknown, limitMs: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => fail(new Error(`A worker thread had no answer after ${limitMs} ms.`)), limitMs);
    const answered = (answer: Answer): void => {
      leave();
      resolve(answer);
    };
    const fail = (error: Error): void => {
      leave();
      reject(error);
    };
    const ended = (): void => fail(new Error('A worker thread ended before it had answered.'));
    const leave = (): void => {
      clearTimeout(late);
      worker.off('message', answered).off('error', fail).off('exit', ended);
    };
    worker.on('message', answered).on('error', fail).on('exit', ended);
    worker.ref();
    worker.postMessage(question, []);
  });
}
