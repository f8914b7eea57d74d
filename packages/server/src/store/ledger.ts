import { setImmediate } from 'node:timers/promises';
import { ProblemError } from '../problem.ts';
import { decodeBatch, encodeBatch } from './batch.ts';
import { Draft } from './draft.ts';
import { DamagedStorageError, type Log } from './driver.ts';

import { Model } from './model.ts';

/** A batch is closed once it has this much text, or so many decisions. */
const batchChars = 1_000_000;
const batchDecisions = 1_000;

/** Decides something over the draft, writes the entries it takes, and says what to answer. */
export type Decision<Answer> = (draft: Draft) => Answer;

interface Waiting {
  decide: (draft: Draft) => unknown;
  resolve: (answer: never) => void;
  reject: (error: unknown) => void;
}

/**
 * Every change of state goes through here, in one row: decided in plain code, appended to the log, folded
 * into the model, answered. One append is in flight at a time and what arrives meanwhile is the next batch,
 * so the price of a synced write is shared by all that wait for it, and no timer is needed.
 */
export class Ledger {
  readonly model: Model;
  /** Whether the last write went well. */
  isWritable = true;
  readonly #log: Log;
  readonly #now: () => number;
  readonly #waiting: Waiting[] = [];
  #running: Promise<void> | null = null;
  #closed = false;

  /** Reads the log to its end. Rejects with a DamagedStorageError if it can't be trusted. */
  static async open(log: Log, retentionReports: number, now: () => number): Promise<Ledger> {
    const model = new Model(retentionReports);
    for await (const { number, position, bytes } of log.read()) {
      if (number !== model.batchNumber + 1) {
        throw new DamagedStorageError(`The log goes from batch ${model.batchNumber} to ${number}: a part is missing.`);
      }
      decodeBatch(bytes, (entry, body) => model.fold(entry, position, body));
      model.batchNumber = number;
    }
    return new Ledger(model, log, now);
  }

  private constructor(model: Model, log: Log, now: () => number) {
    this.model = model;
    this.#log = log;
    this.#now = now;
  }

  /**
   * Resolves with what `decide` answered once the entries it wrote are durable and can be read.
   * Rejects with what it threw, or with `storage_unavailable`: then nothing has happened.
   */
  commit<Answer>(decide: Decision<Answer>): Promise<Answer> {
    if (this.#closed)
      return Promise.reject(new ProblemError('shutting_down', 'The server is stopping.', { retryAfterSeconds: 5 }));
    return new Promise<Answer>((resolve, reject) => {
      this.#waiting.push({ decide, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Takes no more, and resolves once everything taken is answered. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      // All that this turn of the event loop still brings in belongs to the batch: the larger it is, the less a report
      // has to pay of it, and under load every turn brings in what many connections have sent.
      await setImmediate();
      await this.#writeBatch();
    }
    this.#running = null;
  }

  async #writeBatch(): Promise<void> {
    const draft = new Draft(this.model, this.#now());
    const decided: Decided[] = [];
    for (const waiting of this.#waiting) {
      decided.push(decideOne(waiting, draft));
      if (draft.sizeChars >= batchChars || decided.length >= batchDecisions) break;
    }
    this.#waiting.splice(0, decided.length);
    try {
      if (draft.written.length > 0) await this.#append(draft);
    } catch (error) {
      this.isWritable = false;
      const problem = storageUnavailable(error);
      for (const { waiting } of decided) waiting.reject(problem);
      return;
    }
    for (const { waiting, isRefused, answer } of decided) {
      if (isRefused) waiting.reject(answer);
      else waiting.resolve(answer as never);
    }
  }

  async #append(draft: Draft): Promise<void> {
    const { bytes, bodies, spans } = encodeBatch(draft.written);
    const number = this.model.batchNumber + 1;
    const position = await this.#log.append(number, bytes, bodies);
    draft.written.forEach(({ entry }, index) => this.model.fold(entry, position, spans[index] ?? null));
    this.model.batchNumber = number;
    this.isWritable = true;
  }
}

interface Decided {
  waiting: Waiting;
  isRefused: boolean;
  /** What it resolves with, or was refused with. */
  answer: unknown;
}

function decideOne(waiting: Waiting, draft: Draft): Decided {
  try {
    return { waiting, isRefused: false, answer: waiting.decide(draft) };
  } catch (error) {
    return { waiting, isRefused: true, answer: error };
  }
}

export function storageUnavailable(cause: unknown): ProblemError {
  return new ProblemError('storage_unavailable', 'The storage does not do its work at the moment. Try again later.', {
    retryAfterSeconds: 5,
    cause,
  });
}
