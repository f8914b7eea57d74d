import { setImmediate } from 'node:timers/promises';
import { Histogram } from '../../observability/histogram.ts';
import { ProblemError } from '../../problem.ts';
import { decodeBatch, encodeBatch } from './batch.ts';
import { Transaction } from './transaction.ts';
import { DamagedStorageError, type Log } from './storage-driver.ts';
import type { Entry, Written } from '../records/entry.ts';
import { bodyHeaderBytes } from './batch-frame.ts';
import { Model } from '../model/model.ts';
import { QuotaDrops } from './quota-drops.ts';
import { machineTiming, type Timing } from './timing.ts';

/** A batch is closed once it holds this much text, or this many transactions. */
const maxBatchChars = 1_000_000;
const maxBatchTransactions = 1_000;

/**
 * Reads the transaction, writes entries to it and returns the result for the caller. If it throws, it must do so before
 * its first write: entries in the transaction are not removed again.
 */
export type TransactionBody<Result> = (transaction: Transaction) => Result;

interface PendingTransaction {
  run: (transaction: Transaction) => unknown;
  resolve: (result: never) => void;
  reject: (error: unknown) => void;
}

/** A batch that was appended to the log. */
export interface AppendedBatch {
  position: number;
  entriesBytes: number;
  /** Size of the bodies after the entries, each with its header. */
  bodiesBytes: number;
}

/**
 * Called with each batch after its entries are applied and before its callers are resolved. It only schedules its work,
 * and must not throw.
 */
export type CommitListener = (batch: AppendedBatch) => void;

/** Tracks which part of the log is garbage, for compaction. */
interface CompactionState {
  /** Number of the first batch in the log. */
  firstNumber: number;
  /** The first batch of the last compaction: all earlier batches may be dropped. 0 if the log was never compacted. */
  generation: number;
  /**
   * Set while the log still contains bytes of removed data. `number` is the batch of the last removal, `at` the time of
   * the first one.
   */
  removal: { number: number; at: number } | null;
  /** Reports since the last compaction: a start has to count each of them again. */
  reports: number;
}

/** Metrics of the batches that were written since the start. */
export interface WriteMetrics {
  batchTransactions: Histogram;
  appendSeconds: Histogram;
  failures: number;
}

/**
 * Serialises every state change: runs the transaction, appends its entries, applies them to the model, resolves the
 * caller. At most one append is in flight. Transactions that arrive during it form the next batch, so one fsync serves
 * them all and no timer is needed (group commit).
 */
export class Ledger {
  readonly model: Model;
  /** True if the last write succeeded. */
  isWritable = true;
  readonly compactionState: CompactionState;
  readonly writeMetrics: WriteMetrics = {
    batchTransactions: new Histogram([1, 2, 5, 10, 25, 50, 100, 250, 500]),
    appendSeconds: new Histogram([0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]),
    failures: 0,
  };
  /** When the last batch of transactions was begun: milliseconds of `Timing.now()`. */
  busyAt = 0;
  readonly #log: Log;
  readonly #now: () => number;
  readonly #timing: Timing;
  readonly #pending: PendingTransaction[] = [];
  readonly #quotaDrops = new QuotaDrops();
  #flushing: Promise<void> = Promise.resolve();
  #exclusiveTask: (() => Promise<void>) | null = null;
  #running: Promise<void> | null = null;
  #closed = false;
  readonly #commitListeners = new Set<CommitListener>();

  /** Reads the log to its end. Rejects with a DamagedStorageError if it can't be trusted. */
  static async open(log: Log, retentionReports: number, now: () => number, timing = machineTiming): Promise<Ledger> {
    const ledger = new Ledger(new Model(retentionReports), log, now, timing);
    const { model, compactionState } = ledger;
    for await (const { number, position, bytes } of log.read()) {
      if (model.batchNumber === 0) compactionState.firstNumber = number;
      else if (number !== model.batchNumber + 1) throw partMissing(model.batchNumber, number);
      model.batchNumber = number;
      decodeBatch(bytes, (entry, body) => {
        model.apply(entry, position, body);
        // The log does not contain the time of a removal: treat it as long ago.
        ledger.#updateCompactionState(entry, 0);
        // A part of the earlier entries is written state, from which events cannot be derived.
        if (entry.kind === 'generation') model.eventLog.forgetUpTo(number);
      });
    }
    // Batches are dropped only after compaction has written their state again. Otherwise the start of the log is lost.
    if (compactionState.firstNumber > Math.max(1, compactionState.generation))
      throw partMissing(0, compactionState.firstNumber);
    return ledger;
  }

  private constructor(model: Model, log: Log, now: () => number, timing: Timing) {
    this.model = model;
    this.compactionState = { firstNumber: 1, generation: 0, removal: null, reports: 0 };
    this.#log = log;
    this.#now = now;
    this.#timing = timing;
  }

  /**
   * Resolves with the result of `run` once the entries it wrote are durable and readable.
   * Rejects with the error that `run` threw, or with `storage_unavailable`. In both cases nothing has changed.
   */
  commit<Result>(run: TransactionBody<Result>): Promise<Result> {
    return this.#closed ? Promise.reject(shuttingDown()) : this.#enqueue(run);
  }

  /**
   * Writes a separate batch between the batches of transactions. `make` runs immediately before the write, so entries
   * that it derives from the model are correct at that position in the log. One call at a time. If the write fails,
   * nothing has changed and transactions continue.
   */
  async write(make: () => Written[]): Promise<void> {
    await this.runExclusive(async () => {
      const written = make();
      if (written.length > 0) await this.#append(written);
    });
  }

  /**
   * Skips this many ids of each kind. Resolves with whether that is durable. If the storage rejects the write, the ids
   * are skipped until the process ends.
   */
  async skipIds(count: number): Promise<boolean> {
    const { model } = this;
    const skipped_ids = Object.fromEntries(model.counterNames.map((name) => [name, model.nextId(name) - 1 + count]));
    const { groups, responses } = model;
    const entry: Entry = { kind: 'counters', last_ids: {}, skipped_ids, groups: groups.size, answers: responses.size };
    return this.write(() => [{ entry, body: null }]).then(
      () => true,
      () => {
        model.apply(entry, 0, null);
        return false;
      },
    );
  }

  /** Resolves once every quota drop up to now is counted in the log. */
  flushQuotaDrops(): Promise<void> {
    if (this.#closed) return Promise.reject(shuttingDown());
    return (this.#flushing = this.#flushing.catch(() => undefined).then(() => this.#flushQuotaDrops()));
  }

  /**
   * Begins a new part of the log, so that everything before it can be dropped later. Resolves with the number of the
   * part's first batch.
   */
  beginGeneration(): Promise<number> {
    return this.runExclusive(async () => {
      await this.#log.seal();
      return this.model.batchNumber + 1;
    });
  }

  /** Runs a task between two batches. No transaction runs during it. One task at a time. */
  runExclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#closed) return Promise.reject(shuttingDown());
    if (this.#exclusiveTask) throw new Error('Another exclusive task is already waiting.');
    return new Promise<Result>((resolve, reject) => {
      this.#exclusiveTask = () => work().then(resolve, reject);
      this.#running ??= this.#run();
    });
  }

  /** Calls the listener with every batch that is appended from now on. Returns a function that unsubscribes it. */
  onCommit(listener: CommitListener): () => void {
    this.#commitListeners.add(listener);
    return () => void this.#commitListeners.delete(listener);
  }

  /** Rejects new transactions and resolves once all accepted ones have settled. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
    await this.#flushing.catch(() => undefined);
    // If the storage fails here, only the count of reports that were rejected anyway is lost.
    await this.#flushQuotaDrops().catch(() => undefined);
    await this.#running;
  }

  #enqueue<Result>(run: TransactionBody<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#pending.push({ run, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  async #flushQuotaDrops(): Promise<void> {
    const taken = this.#quotaDrops.take();
    if (taken.length === 0) return;
    try {
      await this.#enqueue((transaction) => {
        for (const drop of taken) transaction.recordQuotaDrop(drop);
      });
    } catch (error) {
      this.#quotaDrops.putBack(taken);
      throw error;
    }
  }

  async #run(): Promise<void> {
    while (this.#pending.length > 0 || this.#exclusiveTask) {
      // Include every transaction that arrives in this turn of the event loop. The larger a batch is, the less each
      // report pays for its write, and under load every turn delivers the requests of many connections.
      await setImmediate();
      if (this.#pending.length > 0) await this.#commitBatch();
      const task = this.#exclusiveTask;
      this.#exclusiveTask = null;
      await task?.();
    }
    this.#running = null;
  }

  async #commitBatch(): Promise<void> {
    this.busyAt = this.#timing.now();
    const transaction = new Transaction(this.model, this.#now());
    const { batchNumber } = this.model;
    const results: TransactionResult[] = [];
    for (const pending of this.#pending) {
      results.push(runTransaction(pending, transaction));
      if (transaction.sizeChars >= maxBatchChars || results.length >= maxBatchTransactions) break;
    }
    this.#pending.splice(0, results.length);
    this.writeMetrics.batchTransactions.add(results.length);
    try {
      if (transaction.written.length > 0) await this.#append(transaction.written);
    } catch (error) {
      const isDurable = this.model.batchNumber !== batchNumber;
      // An error after the append is a defect of the server and must not be reported as one of the storage.
      const reason = isDurable ? error : storageUnavailable(error);
      if (!isDurable) {
        this.isWritable = false;
        this.writeMetrics.failures++;
      }
      for (const { pending } of results) pending.reject(reason);
      return;
    }
    this.#quotaDrops.add(transaction.quotaDrops, transaction.now);
    for (const { pending, hasThrown, result } of results) {
      if (hasThrown) pending.reject(result);
      else pending.resolve(result as never);
    }
  }

  async #append(written: readonly Written[]): Promise<void> {
    const { bytes, bodies, spans } = encodeBatch(written);
    const number = this.model.batchNumber + 1;
    const startedAt = this.#timing.now();
    const position = await this.#log.append(number, bytes, bodies);
    this.writeMetrics.appendSeconds.add((this.#timing.now() - startedAt) / 1_000);
    this.model.batchNumber = number;
    const now = this.#now();
    written.forEach(({ entry }, index) => {
      this.model.apply(entry, position, spans[index] ?? null);
      this.#updateCompactionState(entry, now);
    });
    this.isWritable = true;
    if (this.#commitListeners.size === 0) return;
    const appended = { position, entriesBytes: bytes.length, bodiesBytes: bodiesBytesOf(bodies) };
    for (const listener of this.#commitListeners) listener(appended);
  }

  #updateCompactionState(entry: Entry, at: number): void {
    const { compactionState } = this;
    switch (entry.kind) {
      case 'report':
      case 'opening':
        compactionState.reports++;
        break;
      case 'remove':
      case 'group.remove':
        // Of the tables, only projects and users contain data that has to disappear from the disk after a removal.
        if (entry.kind === 'remove' && entry.table !== 'projects' && entry.table !== 'users') break;
        compactionState.removal = { number: this.model.batchNumber, at: compactionState.removal?.at ?? at };
        break;
      case 'generation':
        compactionState.generation = entry.first;
        compactionState.reports = 0;
        if (compactionState.removal && compactionState.removal.number < entry.first) compactionState.removal = null;
        break;
      default:
    }
  }
}

function bodiesBytesOf(bodies: readonly Uint8Array[]): number {
  return bodies.reduce((sum, body) => sum + bodyHeaderBytes + body.length, 0);
}

interface TransactionResult {
  pending: PendingTransaction;
  hasThrown: boolean;
  /** The value that the caller gets, or the error that the transaction body threw. */
  result: unknown;
}

function runTransaction(pending: PendingTransaction, transaction: Transaction): TransactionResult {
  try {
    return { pending, hasThrown: false, result: pending.run(transaction) };
  } catch (error) {
    return { pending, hasThrown: true, result: error };
  }
}

function partMissing(from: number, to: number): DamagedStorageError {
  return new DamagedStorageError(`The log goes from batch ${from} to ${to}: a part is missing.`);
}

export function storageUnavailable(cause: unknown): ProblemError {
  return new ProblemError('storage_unavailable', 'The storage is unavailable at the moment. Try again later.', {
    retryAfterSeconds: 5,
    cause,
  });
}

function shuttingDown(): ProblemError {
  return new ProblemError('shutting_down', 'The server is stopping.', { retryAfterSeconds: 5 });
}
