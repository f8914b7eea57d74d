import { setImmediate } from 'node:timers/promises';
import { Histogram } from '../../observability/histogram.ts';
import { ProblemError } from '../../problem.ts';
import { decodeBatch, encodeBatch } from './batch.ts';
import { Transaction } from './transaction.ts';
import { DamagedStorageError, type Log } from './driver.ts';
import type { Entry, Written } from '../records/entry.ts';
import { bodyHeaderBytes } from './frame.ts';
import { Model } from '../model/model.ts';
import { QuotaDrops } from './quota-drops.ts';
import { machineTiming, type Timing } from './timing.ts';

/** A batch is closed once it has this much text, or so many decisions. */
const batchChars = 1_000_000;
const batchDecisions = 1_000;

/**
 * Decides something over the transaction, writes the entries it takes, and says what to answer. Throws, if at all, before it
 * writes: what stands in the transaction is not taken out again.
 */
export type TransactionBody<Answer> = (transaction: Transaction) => Answer;

interface Waiting {
  decide: (transaction: Transaction) => unknown;
  resolve: (answer: never) => void;
  reject: (error: unknown) => void;
}

/** A batch as it stands in the log now. */
export interface AppendedBatch {
  position: number;
  entriesBytes: number;
  /** Of the bodies behind the entries, each with its header. */
  bodiesBytes: number;
}

/**
 * Is told of a batch once it is folded, before anybody is answered: it notes what it has to do, does it later, and never
 * throws.
 */
export type CommitListener = (batch: AppendedBatch) => void;

/** What of the log is no longer needed. */
interface Leftovers {
  /** Number of the first batch of the log. */
  firstNumber: number;
  /** The state was written again from this batch on: everything before it may be dropped. 0: it never was. */
  generation: number;
  /** Somebody had something removed of which bytes still lie in the log: the last batch that did, and since when. */
  removal: { number: number; at: number } | null;
  /** Reports that came since the state was written again: a start has to count each of them anew. */
  reports: number;
}

/** How batches were written since the start. */
export interface Writing {
  batchDecisions: Histogram;
  appendSeconds: Histogram;
  failures: number;
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
  readonly leftovers: Leftovers;
  readonly writing: Writing = {
    batchDecisions: new Histogram([1, 2, 5, 10, 25, 50, 100, 250, 500]),
    appendSeconds: new Histogram([0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]),
    failures: 0,
  };
  /** Milliseconds of the timing: when a batch of decisions was written last. */
  busyAt = 0;
  readonly #log: Log;
  readonly #now: () => number;
  readonly #timing: Timing;
  readonly #waiting: Waiting[] = [];
  readonly #refusals = new QuotaDrops();
  #telling: Promise<void> = Promise.resolve();
  #errand: (() => Promise<void>) | null = null;
  #running: Promise<void> | null = null;
  #closed = false;
  readonly #followers = new Set<CommitListener>();

  /** Reads the log to its end. Rejects with a DamagedStorageError if it can't be trusted. */
  static async open(log: Log, retentionReports: number, now: () => number, timing = machineTiming): Promise<Ledger> {
    const ledger = new Ledger(new Model(retentionReports), log, now, timing);
    const { model, leftovers } = ledger;
    for await (const { number, position, bytes } of log.read()) {
      if (model.batchNumber === 0) leftovers.firstNumber = number;
      else if (number !== model.batchNumber + 1) throw partMissing(model.batchNumber, number);
      model.batchNumber = number;
      decodeBatch(bytes, (entry, body) => {
        model.fold(entry, position, body);
        // When it was is not known any more: long enough ago.
        ledger.#noteLeftovers(entry, 0);
        // What stands before is partly a state, of which nobody can tell how it came about.
        if (entry.kind === 'generation') model.journal.forget(number);
      });
    }
    // What came before was dropped once it stood in the log again: else the beginning is lost.
    if (leftovers.firstNumber > Math.max(1, leftovers.generation)) throw partMissing(0, leftovers.firstNumber);
    return ledger;
  }

  private constructor(model: Model, log: Log, now: () => number, timing: Timing) {
    this.model = model;
    this.leftovers = { firstNumber: 1, generation: 0, removal: null, reports: 0 };
    this.#log = log;
    this.#now = now;
    this.#timing = timing;
  }

  /**
   * Resolves with what `decide` answered once the entries it wrote are durable and can be read.
   * Rejects with what it threw, or with `storage_unavailable`: then nothing has happened.
   */
  commit<Answer>(decide: TransactionBody<Answer>): Promise<Answer> {
    return this.#closed ? Promise.reject(shuttingDown()) : this.#decide(decide);
  }

  /**
   * Writes a batch of its own between those of decisions, made in the moment in which it is written: what it says of
   * the model is true there. One at a time. If it can't be written nothing has happened, and decisions go on.
   */
  async write(make: () => Written[]): Promise<void> {
    await this.between(async () => {
      const written = make();
      if (written.length > 0) await this.#append(written);
    });
  }

  /**
   * Leaves out as many ids of each kind. Resolves with whether that is durable: if the storage does not take it, they are
   * left out until the process ends.
   */
  async skipIds(count: number): Promise<boolean> {
    const { model } = this;
    const skipped_ids = Object.fromEntries(model.counterNames.map((name) => [name, model.nextId(name) - 1 + count]));
    const { groups, answers } = model;
    const entry: Entry = { kind: 'counters', last_ids: {}, skipped_ids, groups: groups.size, answers: answers.size };
    return this.write(() => [{ entry, body: null }]).then(
      () => true,
      () => {
        model.fold(entry, 0, null);
        return false;
      },
    );
  }

  /** Resolves once the log tells of every report that was refused until now. */
  tellRefused(): Promise<void> {
    if (this.#closed) return Promise.reject(shuttingDown());
    return (this.#telling = this.#telling.catch(() => undefined).then(() => this.#tellRefused()));
  }

  /** From the batch on that this resolves with, the log is a part of its own. */
  beginGeneration(): Promise<number> {
    return this.between(async () => {
      await this.#log.seal();
      return this.model.batchNumber + 1;
    });
  }

  /** Does something in a row with the decisions: meanwhile none is made. One errand at a time. */
  between<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#closed) return Promise.reject(shuttingDown());
    if (this.#errand) throw new Error('One errand at a time.');
    return new Promise<Result>((resolve, reject) => {
      this.#errand = () => work().then(resolve, reject);
      this.#running ??= this.#run();
    });
  }

  /** From now on tells of every batch that is appended. Answers with what ends it. */
  follow(follower: CommitListener): () => void {
    this.#followers.add(follower);
    return () => void this.#followers.delete(follower);
  }

  /** Takes no more, and resolves once everything taken is answered. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
    await this.#telling.catch(() => undefined);
    // Where the storage fails, what is lost is a count of reports that were refused anyway.
    await this.#tellRefused().catch(() => undefined);
    await this.#running;
  }

  #decide<Answer>(decide: TransactionBody<Answer>): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      this.#waiting.push({ decide, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  async #tellRefused(): Promise<void> {
    const taken = this.#refusals.take();
    if (taken.length === 0) return;
    try {
      await this.#decide((transaction) => {
        for (const refused of taken) transaction.tellRefused(refused);
      });
    } catch (error) {
      this.#refusals.putBack(taken);
      throw error;
    }
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0 || this.#errand) {
      // All that this turn of the event loop still brings in belongs to the batch: the larger it is, the less a report
      // has to pay of it, and under load every turn brings in what many connections have sent.
      await setImmediate();
      if (this.#waiting.length > 0) await this.#writeBatch();
      const errand = this.#errand;
      this.#errand = null;
      await errand?.();
    }
    this.#running = null;
  }

  async #writeBatch(): Promise<void> {
    this.busyAt = this.#timing.now();
    const transaction = new Transaction(this.model, this.#now());
    const { batchNumber } = this.model;
    const decided: Decided[] = [];
    for (const waiting of this.#waiting) {
      decided.push(decideOne(waiting, transaction));
      if (transaction.sizeChars >= batchChars || decided.length >= batchDecisions) break;
    }
    this.#waiting.splice(0, decided.length);
    this.writing.batchDecisions.add(decided.length);
    try {
      if (transaction.written.length > 0) await this.#append(transaction.written);
    } catch (error) {
      const isDurable = this.model.batchNumber !== batchNumber;
      // What goes wrong behind the append is a defect, and told as such: the storage is not to blame.
      const told = isDurable ? error : storageUnavailable(error);
      if (!isDurable) {
        this.isWritable = false;
        this.writing.failures++;
      }
      for (const { waiting } of decided) waiting.reject(told);
      return;
    }
    this.#refusals.add(transaction.refused, transaction.now);
    for (const { waiting, isRefused, answer } of decided) {
      if (isRefused) waiting.reject(answer);
      else waiting.resolve(answer as never);
    }
  }

  async #append(written: readonly Written[]): Promise<void> {
    const { bytes, bodies, spans } = encodeBatch(written);
    const number = this.model.batchNumber + 1;
    const beganAt = this.#timing.now();
    const position = await this.#log.append(number, bytes, bodies);
    this.writing.appendSeconds.add((this.#timing.now() - beganAt) / 1_000);
    this.model.batchNumber = number;
    const now = this.#now();
    written.forEach(({ entry }, index) => {
      this.model.fold(entry, position, spans[index] ?? null);
      this.#noteLeftovers(entry, now);
    });
    this.isWritable = true;
    if (this.#followers.size === 0) return;
    const appended = { position, entriesBytes: bytes.length, bodiesBytes: bodiesBytesOf(bodies) };
    for (const follow of this.#followers) follow(appended);
  }

  #noteLeftovers(entry: Entry, at: number): void {
    const { leftovers } = this;
    switch (entry.kind) {
      case 'report':
      case 'opening':
        leftovers.reports++;
        break;
      case 'remove':
      case 'group.remove':
        // Of the rows, projects and people: what is known of them shall be gone. The rest says little.
        if (entry.kind === 'remove' && entry.table !== 'projects' && entry.table !== 'users') break;
        leftovers.removal = { number: this.model.batchNumber, at: leftovers.removal?.at ?? at };
        break;
      case 'generation':
        leftovers.generation = entry.first;
        leftovers.reports = 0;
        if (leftovers.removal && leftovers.removal.number < entry.first) leftovers.removal = null;
        break;
      default:
    }
  }
}

function bodiesBytesOf(bodies: readonly Uint8Array[]): number {
  return bodies.reduce((sum, body) => sum + bodyHeaderBytes + body.length, 0);
}

interface Decided {
  waiting: Waiting;
  isRefused: boolean;
  /** What it resolves with, or was refused with. */
  answer: unknown;
}

function decideOne(waiting: Waiting, transaction: Transaction): Decided {
  try {
    return { waiting, isRefused: false, answer: waiting.decide(transaction) };
  } catch (error) {
    return { waiting, isRefused: true, answer: error };
  }
}

function partMissing(from: number, to: number): DamagedStorageError {
  return new DamagedStorageError(`The log goes from batch ${from} to ${to}: a part is missing.`);
}

export function storageUnavailable(cause: unknown): ProblemError {
  return new ProblemError('storage_unavailable', 'The storage does not do its work at the moment. Try again later.', {
    retryAfterSeconds: 5,
    cause,
  });
}

function shuttingDown(): ProblemError {
  return new ProblemError('shutting_down', 'The server is stopping.', { retryAfterSeconds: 5 });
}
