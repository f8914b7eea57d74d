import { setImmediate } from 'node:timers/promises';
import { Histogram } from '../../observability/histogram.ts';
import { ProblemError } from '../../problem.ts';
import { minuteMs } from '../../time/units.ts';
import { decodeBatch, encodeBatch } from './batch.ts';
import { CompactionState } from './compaction-state.ts';
import { Transaction } from './transaction.ts';
import { BatchTakenError, DamagedStorageError, NotHolderError } from './storage-errors.ts';
import { isShared, type Log, type LoggedBatch } from './storage-driver.ts';
import type { Entry, Written } from '../records/entry.ts';
import { bodyHeaderBytes } from './batch-frame.ts';
import { Model } from '../model/model.ts';
import { QuotaDrops } from './quota-drops.ts';
import { savedLeaps, StoreClock } from './store-clock.ts';
import { machineTiming, type Timing } from '../../time/timing.ts';

/** A batch is closed once its report bodies have this size in characters, or once it has this many transactions. */
const maxBatchChars = 1_000_000;
const maxBatchTransactions = 1_000;

/** The clocks of two servers differ by at most this much: each by up to a minute from that of the database. */
const maxDeviationMs = 2 * minuteMs;

/** After this time, callers no longer wait for an append whose outcome is unknown. */
const maxUnknownMs = 5_000;

/**
 * Reads the transaction, writes entries to it and returns the result for the caller. If it throws, it must do so before
 * its first write: entries in the transaction are not removed again. On a shared log it may run again on another
 * transaction, so it must have no other effects.
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
 * Called with each batch after its entries are applied and before its callers are resolved. A listener must only
 * schedule its work, and must not throw.
 */
export type CommitListener = (batch: AppendedBatch) => void;

/** Metrics of the batches that were written since the start. */
export interface WriteMetrics {
  batchTransactions: Histogram;
  appendSeconds: Histogram;
  failures: number;
}

/**
 * Serializes every state change: runs the transaction, appends its entries, applies them to the model, resolves the
 * caller. At most one append is in flight. Transactions that arrive during it form the next batch, so one fsync serves
 * them all and no timer is needed (group commit).
 */
export class Ledger {
  readonly model: Model;
  /** True if the last write succeeded. */
  isWritable = true;
  readonly compactionState = new CompactionState();
  readonly writeMetrics: WriteMetrics = {
    batchTransactions: new Histogram([1, 2, 5, 10, 25, 50, 100, 250, 500]),
    appendSeconds: new Histogram([0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]),
    failures: 0,
  };
  /** When the last batch of transactions was begun: milliseconds of `Timing.now()`. */
  busyAt = 0;
  readonly #log: Log;
  #clock: StoreClock;
  readonly #now: () => number;
  readonly #timing: Timing;
  readonly #pending: PendingTransaction[] = [];
  readonly #quotaDrops = new QuotaDrops();
  #flushing: Promise<void> = Promise.resolve();
  /** The newest stored time when this server opened or took over a shared log, because clocks differ. Otherwise 0. */
  #notBefore = 0;
  /** True once this server has appended its current batch, false while it only reads batches of other servers. */
  #hasAppended = false;
  /** True while the outcome of an append has been unknown for more than `maxUnknownMs`. */
  #isStalled = false;
  readonly #exclusiveTasks: (() => Promise<void>)[] = [];
  #running: Promise<void> | null = null;
  #closed = false;
  readonly #commitListeners = new Set<CommitListener>();

  /** Reads the log to its end. Rejects with a DamagedStorageError if it can't be trusted. */
  static async open(log: Log, retentionReports: number, now: () => number, timing = machineTiming): Promise<Ledger> {
    const ledger = new Ledger(new Model(retentionReports), log, now, timing);
    const { model, compactionState } = ledger;
    for await (const { number, position, bytes } of log.read()) {
      if (model.batchNumber === 0) compactionState.firstNumber = number;
      ledger.#applyRead({ number, position, bytes }, (entry) => {
        // Some of the earlier entries are state that the compaction wrote. Events cannot be derived from them.
        if (entry.kind === 'generation') model.eventLog.forgetUpTo(number);
      });
    }
    // Batches are dropped only after compaction has written their state again. Otherwise the start of the log is lost.
    if (compactionState.firstNumber > Math.max(1, compactionState.generation))
      throw partMissing(0, compactionState.firstNumber);
    ledger.#startClock();
    return ledger;
  }

  /**
   * Applies the batches that other servers have appended to a shared log. Resolves with their number. Rejects with a
   * `DamagedStorageError` if they don't follow the last one: then only another start can read the log.
   */
  followOthers(): Promise<number> {
    return this.runExclusive(() => this.#applyNew());
  }

  /** Begins to write after another server: reads what that server has written last, and continues its time. */
  async takeOver(): Promise<void> {
    await this.runExclusive(async () => {
      await this.#applyNew();
      this.#startClock();
      // An append of the previous server that is still on its way has this number. One of the two is stored.
      await this.#appendAfterOthers([]);
    });
  }

  /**
   * Returns the time for what is stored now: see `StoreClock`. It is not before the times that other servers have
   * stored, unless a clock was wrong.
   */
  now(): number {
    const time = this.#clock.read();
    // If the difference is larger, a clock was wrong when the time was stored, and the store clock corrects that time.
    return this.#notBefore - time <= maxDeviationMs ? Math.max(time, this.#notBefore) : time;
  }

  /** Returns whether the clock of the machine has leapt. */
  get hasLeapt(): boolean {
    return this.#clock.correction() !== null;
  }

  /** Resolves once a leap of the clock is recorded, and what a wrong clock has stored is corrected. */
  settleClock(): Promise<void> {
    return this.runExclusive(() => this.#settleClock());
  }

  private constructor(model: Model, log: Log, now: () => number, timing: Timing) {
    this.model = model;
    this.#log = log;
    this.#now = now;
    this.#timing = timing;
    this.#clock = new StoreClock([], 0, now, timing, () => model.groups.size > 0);
  }

  /**
   * Resolves with the result of `run` once the entries it wrote are durable and readable. Rejects with the error that
   * `run` threw, with `shutting_down` or with `storage_unavailable`. Then nothing has changed, with one exception: if
   * the storage has not reported for `maxUnknownMs` whether it has written the batch, the batch may still be written.
   */
  commit<Result>(run: TransactionBody<Result>): Promise<Result> {
    if (this.#closed) return Promise.reject(shuttingDown());
    return this.#isStalled ? Promise.reject(storageUnavailable(unknownOutcome())) : this.#enqueue(run);
  }

  /**
   * Writes a separate batch between the batches of transactions. `make` runs immediately before the write, so entries
   * that it derives from the model are correct at that position in the log. Calls run one at a time. If the write
   * fails, nothing has changed and transactions continue. The write also fails if another server has written in
   * between, because `make` runs only once.
   */
  async write(make: () => Written[]): Promise<void> {
    await this.runExclusive(async () => {
      const written = make();
      if (written.length > 0) await this.#appendOnce(written);
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

  /** Runs a task between two batches. No transaction and no other task runs during it. */
  runExclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#closed) return Promise.reject(shuttingDown());
    return new Promise<Result>((resolve, reject) => {
      this.#exclusiveTasks.push(() => work().then(resolve, reject));
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
    while (this.#pending.length > 0 || this.#exclusiveTasks.length > 0) {
      // Include every transaction that arrives in this turn of the event loop. The larger a batch is, the less each
      // report pays for its write, and under load every turn delivers the requests of many connections.
      await setImmediate();
      if (this.#pending.length > 0) {
        // If the correction fails, the batch has the times from before the leap, and most likely fails, too.
        await this.#settleClock().catch(() => undefined);
        await this.#commitBatch();
      }
      await this.#exclusiveTasks.shift()?.();
    }
    this.#running = null;
  }

  async #commitBatch(): Promise<void> {
    this.busyAt = this.#timing.now();
    this.#hasAppended = false;
    const batch = this.#runPending();
    this.writeMetrics.batchTransactions.add(batch.results.length);
    const stopWaiting = this.#rejectIfUnknown(batch);
    try {
      while (batch.transaction.written.length > 0 && !(await this.#tryToAppend(batch.transaction.written))) {
        const waiting = batch.results.filter(({ isRejected }) => !isRejected);
        Object.assign(batch, this.#runBodies(waiting.map(({ pending }) => pending)));
      }
    } catch (error) {
      this.#rejectBatch(batch, error, this.#hasAppended);
      return;
    } finally {
      stopWaiting();
    }
    this.#quotaDrops.add(batch.transaction.quotaDrops, batch.transaction.now);
    for (const { pending, hasThrown, result } of batch.results) {
      if (hasThrown) pending.reject(result);
      else pending.resolve(result as never);
    }
  }

  /** Runs the next pending transactions, as many as one batch may have. */
  #runPending(): RunBatch {
    const batch = this.#runBodies(this.#pending, maxBatchChars);
    this.#pending.splice(0, batch.results.length);
    return batch;
  }

  #runBodies(pending: readonly PendingTransaction[], maxChars = Infinity): RunBatch {
    const transaction = new Transaction(this.model, this.now());
    const results: TransactionResult[] = [];
    for (const next of pending) {
      results.push(runTransaction(next, transaction));
      if (transaction.sizeChars >= maxChars || results.length >= maxBatchTransactions) break;
    }
    return { transaction, results };
  }

  /** Resolves with false if another server has appended a batch with this number. That batch is applied first. */
  async #tryToAppend(written: readonly Written[]): Promise<boolean> {
    try {
      await this.#append(written);
      return true;
    } catch (error) {
      if (!(error instanceof BatchTakenError)) throw error;
      await this.#applyNew();
      return false;
    }
  }

  /** Rejects if another server has appended a batch with this number: `written` may be wrong after that batch. */
  async #appendOnce(written: readonly Written[]): Promise<void> {
    if (!(await this.#tryToAppend(written))) throw new Error('Another server has written in between.');
  }

  async #appendAfterOthers(written: readonly Written[]): Promise<void> {
    while (!(await this.#tryToAppend(written)));
  }

  #rejectBatch({ results }: RunBatch, error: unknown, isDurable: boolean): void {
    // An error after the append is a defect of the server and must not be reported as one of the storage.
    const reason = isDurable ? error : storageUnavailable(error);
    if (!isDurable) {
      this.isWritable = false;
      this.writeMetrics.failures++;
    }
    for (const { pending } of results) pending.reject(reason);
  }

  /**
   * Rejects the callers of a batch, and those that arrive later, if its outcome stays unknown. An append to a shared
   * log ends only once its outcome is known. Returns a function that ends the waiting.
   */
  #rejectIfUnknown(batch: RunBatch): () => void {
    if (!isShared(this.#log)) return () => undefined;
    const stopTimer = this.#timing.every(maxUnknownMs, () => {
      this.#isStalled = true;
      for (const result of batch.results) result.isRejected = true;
      this.#rejectBatch(batch, unknownOutcome(), false);
      for (const pending of this.#pending.splice(0)) pending.reject(storageUnavailable(unknownOutcome()));
    });
    return () => {
      stopTimer();
      this.#isStalled = false;
    };
  }

  async #settleClock(): Promise<void> {
    const correction = this.#clock.correction();
    if (!correction) return;
    await this.#appendOnce(correction.entries.map((entry) => ({ entry, body: null })));
    this.#clock.settle(correction);
  }

  #startClock(): void {
    const { model } = this;
    const newestAt = newestTimeOf(model);
    if (isShared(this.#log)) this.#notBefore = newestAt;
    this.#clock = new StoreClock(
      savedLeaps(model.tables),
      newestAt,
      this.#now,
      this.#timing,
      () => model.groups.size > 0,
    );
  }

  async #applyNew(): Promise<number> {
    if (!isShared(this.#log)) return 0;
    let count = 0;
    for await (const batch of this.#log.readNew()) {
      this.#applyRead(batch);
      this.#notifyListeners(batch.position, batch.bytes.length, batch.bodiesBytes ?? 0);
      count++;
    }
    return count;
  }

  /** Applies a batch that was read from the log. */
  #applyRead({ number, position, bytes }: LoggedBatch, each?: (entry: Entry) => void): void {
    const { model } = this;
    if (model.batchNumber > 0 && number !== model.batchNumber + 1) throw partMissing(model.batchNumber, number);
    model.batchNumber = number;
    decodeBatch(bytes, (entry, body) => {
      model.apply(entry, position, body);
      // The log does not contain the time of a removal: treat it as long ago.
      this.compactionState.apply(entry, number, 0);
      each?.(entry);
    });
  }

  async #append(written: readonly Written[]): Promise<void> {
    const { bytes, bodies, spans } = encodeBatch(written);
    const number = this.model.batchNumber + 1;
    const startedAt = this.#timing.now();
    const position = await this.#log.append(number, bytes, bodies);
    this.#hasAppended = true;
    this.writeMetrics.appendSeconds.add((this.#timing.now() - startedAt) / 1_000);
    this.model.batchNumber = number;
    const now = this.#now();
    written.forEach(({ entry }, index) => {
      this.model.apply(entry, position, spans[index] ?? null);
      this.compactionState.apply(entry, number, now);
    });
    this.isWritable = true;
    if (this.#commitListeners.size > 0) this.#notifyListeners(position, bytes.length, bodiesBytesOf(bodies));
  }

  #notifyListeners(position: number, entriesBytes: number, bodiesBytes: number): void {
    for (const listener of this.#commitListeners) listener({ position, entriesBytes, bodiesBytes });
  }
}

function bodiesBytesOf(bodies: readonly Uint8Array[]): number {
  return bodies.reduce((sum, body) => sum + bodyHeaderBytes + body.length, 0);
}

/** The pending transactions of a batch, and what they have written. */
interface RunBatch {
  transaction: Transaction;
  results: TransactionResult[];
}

interface TransactionResult {
  pending: PendingTransaction;
  /** True if the caller no longer waits, because the outcome of the append stays unknown. */
  isRejected?: boolean;
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

function unknownOutcome(): Error {
  return new Error('The outcome of a write is not known yet.');
}

function partMissing(from: number, to: number): DamagedStorageError {
  return new DamagedStorageError(`The log goes from batch ${from} to ${to}: a part is missing.`);
}

export function storageUnavailable(cause: unknown): ProblemError {
  return new ProblemError('storage_unavailable', 'The storage is unavailable at the moment. Try again later.', {
    retryAfterSeconds: cause instanceof NotHolderError ? 1 : 5,
    cause,
  });
}

function shuttingDown(): ProblemError {
  return new ProblemError('shutting_down', 'The server is stopping.', { retryAfterSeconds: 5 });
}

/** Returns the latest time of a report, user, project or source map, or 0 if there are no such records. */
function newestTimeOf({ groups, tables }: Model): number {
  let newest = groups.newestReportAt();
  for (const table of [tables.users, tables.projects, tables.source_maps])
    for (const { created_at } of table.values()) newest = Math.max(newest, Date.parse(created_at) || 0);
  return newest;
}
