import { takeBackup } from './backup/take-backup.ts';
import { blobNames } from './model/blob-names.ts';
import { DamagedStorageError, type Blobs, type Driver, type Log } from './log/driver.ts';
import type { LogPointer } from './model/stored-reports.ts';
import {
  Ledger,
  storageUnavailable,
  type TransactionBody,
  type CommitListener,
  type WriteMetrics,
} from './log/ledger.ts';
import type { Model } from './model/model.ts';
import { readStoredReportBody } from './log/read-report-body.ts';
import { machineTiming } from './log/timing.ts';
import { Maintenance, type MaintenanceOptions } from './log/maintenance.ts';

/** What is remembered: read from the model, changed by decisions that are durable once answered. */
export interface Store {
  readonly model: Model;
  readonly blobs: Blobs;
  readonly driver: Pick<Driver, 'name' | 'promise' | 'lost'> & { readonly log: Pick<Log, 'sizeBytes'> };
  readonly writeMetrics: WriteMetrics;
  /** See Ledger.commit. */
  commit<Answer>(decide: TransactionBody<Answer>): Promise<Answer>;
  /** See Ledger.follow. */
  onCommit(follower: CommitListener): () => void;
  /** Has the log tell of every report that was refused until now, which else it does within a second. */
  flushQuotaDrops(): Promise<void>;
  /** Whether the storage takes what is written: by the last write, and after one that failed by another one now and then. */
  isReady(): Promise<boolean>;
  /** The body of a kept report. Null if the group keeps no such report any more, or if it is damaged, which the operator is told. */
  readBody(groupId: number, id: number): Promise<Buffer | null>;
  /** Frees now what of the storage can be freed, which else happens by itself. Rejects if it can't be done now. */
  compact(): Promise<void>;
  /** All that there is, in the bytes of one file, a piece at a time. Nothing is freed until the last one is taken. */
  backup(): AsyncGenerator<Buffer>;
  close(): Promise<void>;
}

export interface StoreOptions extends MaintenanceOptions {
  retentionReports: number;
}

/** Whoever watches over the process asks often: so seldom a storage that has failed is tried. */
const retryMs = 2_000;

/** Reads everything back; from then on the store owns the driver. */
export async function openStore(driver: Driver, options: StoreOptions): Promise<Store> {
  const { retentionReports, now, timing = machineTiming, warn } = options;
  let ledger: Ledger;
  try {
    ledger = await Ledger.open(driver.log, retentionReports, now, timing);
    await assertNotLost(driver, ledger.model);
    await warnOfDroppedParts(driver.log, ledger, warn);
    await sweepBlobs(driver.blobs, ledger.model);
  } catch (error) {
    await driver.close();
    throw error;
  }
  const upkeep = new Maintenance(ledger, driver.log, options);
  upkeep.start();
  let triedAt = -Infinity;
  let isLost = false;
  void driver.lost?.then(() => (isLost = true));

  return {
    model: ledger.model,
    blobs: {
      put: (name, bytes) => orUnavailable(driver.blobs.put(name, bytes)),
      putPieces: (name, pieces) => putPieces(driver.blobs, name, pieces),
      get: (name) => orUnavailable(driver.blobs.get(name)),
      read: (name, start, end) => orUnavailable(driver.blobs.read(name, start, end)),
      getPieces: (name) => driver.blobs.getPieces(name),
      remove: (name) => orUnavailable(driver.blobs.remove(name)),
      names: () => orUnavailable(driver.blobs.names()),
    },
    driver,
    writeMetrics: ledger.writeMetrics,
    commit: (decide) => ledger.commit(decide),
    onCommit: (follower) => ledger.onCommit(follower),
    flushQuotaDrops: () => ledger.flushQuotaDrops(),
    async isReady() {
      if (isLost) return false;
      if (ledger.isWritable) return true;
      if (timing.now() - triedAt < retryMs) return false;
      triedAt = timing.now();
      const wellAgain = { id: 'storage_well_again_at', value: new Date(now()).toISOString() };
      await ledger.commit((transaction) => transaction.put('settings', wellAgain)).catch(() => undefined);
      return ledger.isWritable;
    },
    async readBody(groupId, id) {
      const find = (): LogPointer | undefined => ledger.model.groups.storedReports(groupId).find(id);
      try {
        return await readStoredReportBody(driver.log, find);
      } catch (error) {
        if (!(error instanceof DamagedStorageError)) throw storageUnavailable(error);
        warn(error, 'a kept report is damaged and is not shown');
        return null;
      }
    },
    compact: () => upkeep.compact(),
    async *backup() {
      const release = await upkeep.hold();
      try {
        const isStopped = (): boolean => upkeep.isStopped;
        yield* takeBackup({ ledger, log: driver.log, blobs: driver.blobs }, { now, timing, warn, isStopped });
      } finally {
        release();
      }
    },
    async close() {
      upkeep.stop();
      await ledger.close();
      await upkeep.stopped();
      await driver.close();
    },
  };
}

/** A disk that fails is the operator's to mend and no defect of ours: the caller may try again. */
async function orUnavailable<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (cause) {
    throw storageUnavailable(cause);
  }
}

async function putPieces(blobs: Blobs, name: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const failure: { error?: unknown } = {};
  async function* watched(): AsyncGenerator<Uint8Array> {
    try {
      yield* pieces;
    } catch (error) {
      failure.error = error;
      throw error;
    }
  }
  try {
    await blobs.putPieces(name, watched());
  } catch (cause) {
    // What was to be stored came to no good end: the storage is not to blame.
    throw 'error' in failure ? failure.error : storageUnavailable(cause);
  }
}

/**
 * Throws a DamagedStorageError where a log that held something holds nothing any more. It is no first start, which would
 * make another owner and remove every blob.
 */
async function assertNotLost({ name, log, blobs }: Driver, model: Model): Promise<void> {
  if (model.batchNumber > 0) return;
  const lost = log.dropped.filter(({ isTorn }) => !isTorn).map(({ place, bytes }) => `${place} has ${bytes} bytes`);
  const names = await blobs.names();
  if (lost.length === 0 && names.length === 0) return;
  const found = [
    ...lost.slice(0, maxListedPlaces),
    ...(names.length > 0 ? [`${names.length} source maps are there`] : []),
  ];
  throw new DamagedStorageError(
    `${name} has been used, but nothing can be read of its log (${found.join('; ')}). The storage has lost data, or a ` +
      'restore was cut short. Restore a backup; to start empty, choose another storage or remove this one.',
  );
}

const maxListedPlaces = 5;

/**
 * How many ids of each kind are left out where a part of the log was dropped. A batch gives 1,000 at most; a disk that lost
 * one that was answered may have lost others before it, of which nothing is left.
 */
const skippedIds = 100_000;

/** Tells the operator of parts of the log that were dropped. Ids that they may have given are not given again. */
async function warnOfDroppedParts(log: Log, ledger: Ledger, warn: StoreOptions['warn']): Promise<void> {
  const { dropped } = log;
  if (dropped.length === 0) return;
  for (const { place, bytes, isTorn } of dropped) {
    const reason = isTorn
      ? `the last ${bytes} bytes of ${place} are not a whole batch and are dropped: after a crash or a power loss that is a write which was not answered yet; without one the storage has lost data, compare it with a backup`
      : `${place} has only ${bytes} bytes and is dropped: the storage has lost data that was durable, compare it with a backup`;
    warn(null, reason);
  }
  // Before the first batch no id was given.
  if (ledger.model.batchNumber === 0) return;
  const isDurable = await ledger.skipIds(skippedIds);
  const until = isDurable ? '' : ', for now: the storage could not be written';
  warn(
    null,
    `ids go on ${skippedIds} higher, so that none that the dropped part may have given is given again${until}`,
  );
  // What is found again has its ids skipped again.
  if (isDurable) await log.removeDropped?.();
}

/** A kill between a blob and its entry leaves a blob that nobody knows of. */
async function sweepBlobs(blobs: Blobs, model: Model): Promise<void> {
  const known = blobNames(model);
  for (const name of await blobs.names()) if (!known.has(name)) await blobs.remove(name);
}
