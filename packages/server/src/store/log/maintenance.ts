import {
  maxClockLeadMs,
  maxRemovedDataMs,
  oldestReportAt,
  reportSweepIntervalMs,
} from '../../retention/retention-policy.ts';
import { compact, dropOld, type CompactionOptions } from './compaction.ts';
import type { Log } from './storage-driver.ts';
import { evictReports, projectsToEvict } from './evict-reports.ts';
import { ExpiryClock, type ExpiryClockState } from './expiry-clock.ts';
import type { Model } from '../model/model.ts';
import type { Ledger } from './ledger.ts';
import { savedLeaps } from './store-clock.ts';
import { StorageRoom } from './storage-room.ts';
import { machineTiming, type Timing } from '../../time/timing.ts';

const mb = 1024 * 1024;
const checkMs = 1_000;
/** The server is idle if no transaction was written for this duration. Deferred compaction may then run. */
const idleMs = 1_500;
/** Compacting a log that is smaller than this costs next to nothing. */
const smallBytes = 32 * mb;
/** Reading more batches than this makes a start slow, however small they are. */
const manyBatches = 20_000;
/** Counting more reports than this makes a start slow. Reading the state that they produced is quicker. */
const manyReports = 20_000;
/** Rewriting this many bytes of state is worth it if the next start reads one batch or report less. */
const stateBytesPerItem = 50_000;
/** Garbage that is worth a compaction when the storage is nearly full. */
const minGarbageBytes = mb;
const firstPauseMs = 30_000;
const maxPauseMs = 3_600_000;
/** Maximum number of groups whose expired reports are removed in one batch. */
const maxSweptGroups = 200;

export interface MaintenanceOptions {
  /** Stored reports are deleted after this many days. */
  retentionDays: number;
  /** `expireSourceMaps` deletes maps that are unused for this many days. Limits how far the clock may be ahead. */
  sourceMapDays?: number;
  /** Bytes that the stored reports of a project may take. Without a limit: Infinity. */
  projectBytes?: number;
  now: () => number;
  timing?: Timing;
  /** Warns the operator. */
  warn: (error: unknown, message: string) => void;
}

/**
 * Background work on the log: deletes expired reports and those over the limit of a project, and compacts the log when
 * much of it is garbage.
 */
export class Maintenance {
  readonly room: StorageRoom;
  /** Stored reports that were deleted because their project stored too much. */
  evictedReports = 0;
  readonly #ledger: Ledger;
  readonly #log: Log;
  readonly #options: MaintenanceOptions;
  readonly #compaction: CompactionOptions;
  readonly #timing: Timing;
  readonly #clock: ExpiryClock;
  #stopChecks: () => void = () => undefined;
  #running: Promise<void> | null = null;
  #held: Promise<void> | null = null;
  #isStopped = false;
  #sweptAt = -Infinity;
  #pausedUntil = 0;
  #failures = 0;
  /** Ratio of the actual size of the state without report bodies, at the last compaction, to `#plainBytes`. */
  #factor = 1;

  constructor(ledger: Ledger, log: Log, options: MaintenanceOptions) {
    this.#ledger = ledger;
    this.#log = log;
    this.#options = options;
    this.#timing = options.timing ?? machineTiming;
    this.room = new StorageRoom(log, () => this.#stateBytes(), options.warn);
    this.#clock = new ExpiryClock(savedClock(ledger.model, options.now), {
      now: options.now,
      monotonicMs: () => this.#timing.now(),
      maxLeadMs: maxClockLeadMs(options.retentionDays, options.sourceMapDays ?? Infinity),
    });
    this.#compaction = { warn: options.warn, isStopped: () => this.#isStopped, timing: this.#timing };
  }

  start(): void {
    // The clock is saved before any report is stored with a time that may be wrong. Other work on the log waits.
    this.#running = this.#saveClock()
      .catch(() => undefined)
      .finally(() => (this.#running = null));
    // The room is checked once per batch: a check for each report would cost more than the rest of its transaction.
    const stopUpdates = this.#ledger.onCommit(() => this.room.update());
    const stopChecks = this.#timing.every(checkMs, () => this.#check());
    this.#stopChecks = () => {
      stopUpdates();
      stopChecks();
    };
  }

  /** Compacts the log now. Resolves once that is done. Rejects if it can't be done now. */
  async compact(): Promise<void> {
    while (this.#busy) await this.#busy.catch(() => undefined);
    this.#running = this.#compact().finally(() => (this.#running = null));
    await this.#running;
  }

  /**
   * Keeps everything in the log until the returned function is called. One hold at a time: the next caller waits.
   */
  async hold(): Promise<() => void> {
    while (this.#busy) await this.#busy.catch(() => undefined);
    const { promise, resolve } = createDeferred();
    this.#held = promise;
    return () => {
      this.#held = null;
      resolve();
    };
  }

  get isClockDoubted(): boolean {
    return this.#clock.isDoubted;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Starts no more work. Work in progress ends with the next batch. */
  stop(): void {
    this.#isStopped = true;
    this.#stopChecks();
  }

  async stopped(): Promise<void> {
    await this.#running?.catch(() => undefined);
  }

  /** The work or hold that must end before other work can begin. */
  get #busy(): Promise<void> | null {
    return this.#running ?? this.#held;
  }

  #check(): void {
    // Ignored: every other write reports a storage that fails, and the next check retries.
    this.#ledger.flushQuotaDrops().catch(() => undefined);
    // Ignored: until it can be measured again, the room is estimated from the growth of the log.
    this.room.measure().catch(() => undefined);
    const now = this.#timing.now();
    if (this.#running || this.#held || now < this.#pausedUntil) return;
    const { firstNumber, generation } = this.#ledger.compactionState;
    if (this.#ledger.hasLeapt) this.#run(() => this.#ledger.settleClock());
    else if (firstNumber < generation) this.#run(() => dropOld(this.#ledger, this.#log, this.#compaction));
    else if (projectsToEvict(this.#ledger, this.#projectBytes).length > 0) this.#run(() => this.#evict());
    else if (this.#isCompactionDue(now)) this.#run(() => this.#compact());
    else if (now - this.#sweptAt >= reportSweepIntervalMs) this.#run(() => this.#sweep());
  }

  #run(work: () => Promise<void>): void {
    this.#running = work()
      .then(() => void (this.#failures = 0))
      .catch((error: unknown) => {
        if (this.#isStopped) return;
        const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** this.#failures++);
        this.#pausedUntil = this.#timing.now() + pauseMs;
        this.#options.warn(error, `background work on the log failed; the server retries in ${pauseMs / 1_000} s`);
      })
      .finally(() => (this.#running = null));
  }

  #isCompactionDue(now: number): boolean {
    const { compactionState, model, busyAt } = this.#ledger;
    const size = this.#log.sizeBytes;
    const live = this.#stateBytes();
    const garbage = size - live;
    if (garbage > Math.max(live, 8 * mb)) return true;
    if (this.room.isFull && garbage > minGarbageBytes) return true;
    if (compactionState.removal && this.#options.now() - compactionState.removal.at >= maxRemovedDataMs) return true;
    if (now - busyAt < idleMs) return false;
    // Erase removed data at once where that is cheap.
    if (compactionState.removal && size <= smallBytes) return true;
    if (model.batchNumber - compactionState.firstNumber > manyBatches + live / stateBytesPerItem) return true;
    if (compactionState.reports > manyReports + model.groups.size / 2 + live / stateBytesPerItem) return true;
    return garbage > Math.max(0.15 * size, 4 * mb);
  }

  /** Estimates the size of the state if it were written now. */
  #stateBytes(): number {
    return this.#ledger.model.storedBytes + this.#factor * this.#plainBytes();
  }

  /** Estimates the size of the state without the bodies of reports. */
  #plainBytes(): number {
    const { groups, responses, tables, storedBytes } = this.#ledger.model;
    const rows = Object.values(tables).reduce((sum, table) => sum + table.size, 0);
    return 10_000 + 400 * rows + 500 * groups.size + 64 * responses.size + storedBytes / 25;
  }

  async #compact(): Promise<void> {
    await this.#sweep();
    // A compaction that can't finish must not start: its slices would fill the disk and leave no room for reports.
    await this.room.measure();
    if (this.room.bytes < this.room.neededBytes)
      throw new Error(
        'The disk has no room for the state, which a compaction writes again before it drops the old log.',
      );
    const stateBytes = await this.room.duringCompaction(() => compact(this.#ledger, this.#log, this.#compaction));
    if (stateBytes !== null)
      this.#factor = Math.max(0, stateBytes - this.#ledger.model.storedBytes) / this.#plainBytes();
  }

  async #sweep(): Promise<void> {
    await this.#saveClock();
    const before = oldestReportAt(this.#options.now(), this.#options.retentionDays);
    if (!this.#clock.isDoubted) await this.#expire(before);
    else if (this.#hasReportsBefore(before)) this.#options.warn(null, doubtedClock);
    this.#sweptAt = this.#timing.now();
  }

  async #expire(before: number): Promise<void> {
    for (const group_ids of this.#ledger.model.groups.idsStoringBefore(before, maxSweptGroups)) {
      if (this.#isStopped) return;
      await this.#ledger.write(() => [{ entry: { kind: 'expire', before, group_ids }, body: null }]);
    }
  }

  async #evict(): Promise<void> {
    this.evictedReports += await evictReports(this.#ledger, {
      projectBytes: this.#projectBytes,
      groupsAtOnce: maxSweptGroups,
      timing: this.#timing,
      isStopped: () => this.#isStopped,
    });
  }

  get #projectBytes(): number {
    return this.#options.projectBytes ?? Infinity;
  }

  /** Returns whether a report from before this time is stored. */
  #hasReportsBefore(before: number): boolean {
    return !this.#ledger.model.groups.idsStoringBefore(before, 1).next().done;
  }

  async #saveClock(): Promise<void> {
    const state = this.#clock.stateToSave();
    if (!state) return;
    const value = `${new Date(state.knownAt).toISOString()} ${state.doubtedMs}${state.hasLeapt ? ' leapt' : ''}`;
    await this.#ledger.write(() => [
      { entry: { kind: 'put', table: 'settings', record: { id: clockSetting, value } }, body: null },
    ]);
    this.#clock.setSaved(state);
  }
}

const clockSetting = 'expiry_clock';

const doubtedClock =
  'the clock of this machine is far ahead of the time that the server knows: no stored report expires until it is ' +
  'corrected, or until the server has been running with it for three days';

/**
 * Returns the saved state of the clock. Without a saved state, the known time is that of the newest report, but not
 * after the first leap of the clock. Without reports, the known time is the current one.
 */
function savedClock({ tables, groups }: Model, now: () => number): ExpiryClockState {
  const [knownAt = '', doubtedMs = '', hasLeapt = ''] = tables.settings.get(clockSetting)?.value.split(' ') ?? [];
  if (knownAt) return { knownAt: Date.parse(knownAt), doubtedMs: Number(doubtedMs), hasLeapt: hasLeapt === 'leapt' };
  const newestAt = groups.size > 0 ? groups.newestReportAt() : now();
  const leaptAt = savedLeaps(tables)[0]?.base ?? Infinity;
  return { knownAt: Math.min(newestAt, leaptAt), doubtedMs: 0, hasLeapt: false };
}

function createDeferred(): { promise: Promise<void>; resolve: () => void } {
  const deferred = { promise: Promise.resolve(), resolve: (): void => undefined };
  deferred.promise = new Promise((resolve) => (deferred.resolve = resolve));
  return deferred;
}
