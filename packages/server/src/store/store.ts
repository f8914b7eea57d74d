import { takeBackup, type BackupContent } from './backup/take-backup.ts';
import { blobNames } from './model/blob-names.ts';
import { DamagedStorageError } from './log/storage-errors.ts';
import { isShared, type Blobs, type Log, type StorageDriver } from './log/storage-driver.ts';
import type { LogPointer } from './model/log-pointer.ts';
import {
  Ledger,
  storageUnavailable,
  type TransactionBody,
  type CommitListener,
  type WriteMetrics,
} from './log/ledger.ts';
import type { Model } from './model/model.ts';
import { readStoredReportBody } from './log/read-report-body.ts';
import { machineTiming } from '../time/timing.ts';
import { Maintenance, type MaintenanceOptions } from './log/maintenance.ts';
import type { StorageRoom } from './log/storage-room.ts';

/** The state of the server. Reads use the model. Writes are transactions, which are durable once `commit` resolves. */
export interface Store {
  readonly model: Model;
  readonly blobs: Blobs;
  readonly driver: Pick<StorageDriver, 'name' | 'durability' | 'folder' | 'lost' | 'isHeld'> & {
    readonly log: Pick<Log, 'sizeBytes'>;
  };
  readonly writeMetrics: WriteMetrics;
  /** How much room the storage has. */
  readonly room: Pick<StorageRoom, 'bytes' | 'isFull' | 'isLow' | 'assertFree' | 'assertWritable' | 'recheck'>;
  /** Stored reports that were deleted since the start because their project stored too much. */
  readonly evictedReports: number;
  /** True while the clock of the machine is too far ahead to delete anything by it. */
  readonly isClockDoubted: boolean;
  /** The time of what is stored now: see StoreClock. */
  now(): number;
  /** See Ledger.commit. */
  commit<Result>(run: TransactionBody<Result>): Promise<Result>;
  /** See Ledger.onCommit. */
  onCommit(listener: CommitListener): () => void;
  /** Counts every quota drop up to now in the log. Without this call, that happens within a second. */
  flushQuotaDrops(): Promise<void>;
  /**
   * Resolves with true if the storage is not lost and has room, and the last write succeeded. After a failure, repeated
   * calls retry a write from time to time.
   */
  isReady(): Promise<boolean>;
  /**
   * Reads the body of a stored report. Resolves with null if it is no longer stored. Also resolves with null if it is
   * damaged, and warns the operator.
   */
  readBody(groupId: number, id: number): Promise<Buffer | null>;
  /**
   * Reads what other servers have written to a shared log. Resolves with the number of batches. Rejects with a
   * `DamagedStorageError` or an `UnusableStorageError` if only another start can read it.
   */
  followOthers(): Promise<number>;
  /** Begins to write, if the store was opened as a standby. Resolves once no other server's write can succeed. */
  takeOver(): Promise<void>;
  /** Compacts the log now. Without this call, that happens in the background. Rejects if it can't be done now. */
  compact(): Promise<void>;
  /** Yields a backup of everything as one file, in pieces. The log is not compacted until the last piece is read. */
  backup(content?: BackupContent): AsyncGenerator<Buffer>;
  close(): Promise<void>;
}

export interface StoreOptions extends MaintenanceOptions {
  retentionReports: number;
  /** True if another server writes the log: nothing is written before `takeOver`. */
  isStandby?: boolean;
}

/** Minimum time between two write attempts to a storage that has failed. Health checks call `isReady` often. */
const writeRetryMs = 2_000;

/** Reads the log and opens the store. From then on the store owns the driver, and closes it even if this rejects. */
export async function openStore(driver: StorageDriver, options: StoreOptions): Promise<Store> {
  const { retentionReports, now, timing = machineTiming, warn, isStandby = false } = options;
  let ledger: Ledger;
  try {
    ledger = await Ledger.open(driver.log, retentionReports, now, timing);
    await assertNotLost(driver, ledger.model);
    await warnOfDroppedParts(driver.log, ledger, warn);
    if (!isStandby && isShared(driver.log)) await ledger.takeOver();
    if (!isStandby) await beginWriting(driver, ledger);
  } catch (error) {
    await driver.close();
    throw error;
  }
  const maintenance = new Maintenance(ledger, driver.log, options);
  const { room } = maintenance;
  // A storage whose room can't be measured is used until a write fails.
  await room.measure().catch(() => undefined);
  if (!isStandby) maintenance.start();
  let triedAt = -Infinity;
  let isLost = false;
  void driver.lost?.then(() => (isLost = true));

  return {
    model: ledger.model,
    blobs: {
      async put(name, bytes) {
        await room.recheck();
        room.assertFree();
        await orUnavailable(driver.blobs.put(name, bytes));
      },
      async putPieces(name, pieces) {
        await room.recheck();
        room.assertFree();
        await putPieces(driver.blobs, name, pieces);
      },
      get: (name) => orUnavailable(driver.blobs.get(name)),
      read: (name, start, end) => orUnavailable(driver.blobs.read(name, start, end)),
      getPieces: (name) => driver.blobs.getPieces(name),
      remove: (name) => orUnavailable(driver.blobs.remove(name)),
      names: () => orUnavailable(driver.blobs.names()),
    },
    driver,
    writeMetrics: ledger.writeMetrics,
    room,
    get evictedReports() {
      return maintenance.evictedReports;
    },
    get isClockDoubted() {
      return maintenance.isClockDoubted;
    },
    now: () => ledger.now(),
    commit: (run) => ledger.commit(run),
    onCommit: (listener) => ledger.onCommit(listener),
    flushQuotaDrops: () => ledger.flushQuotaDrops(),
    async isReady() {
      await room.recheck();
      if (isLost || room.isFull) return false;
      if (ledger.isWritable) return true;
      if (timing.now() - triedAt < writeRetryMs) return false;
      triedAt = timing.now();
      const recovery = { id: 'storage_recovered_at', value: new Date(now()).toISOString() };
      await ledger.commit((transaction) => transaction.put('settings', recovery)).catch(() => undefined);
      return ledger.isWritable;
    },
    async readBody(groupId, id) {
      const find = (): LogPointer | undefined => ledger.model.groups.findReportPointer(groupId, id);
      try {
        return await readStoredReportBody(driver.log, find);
      } catch (error) {
        if (!(error instanceof DamagedStorageError)) throw storageUnavailable(error);
        warn(error, 'a stored report is damaged and is not shown');
        return null;
      }
    },
    followOthers: () => ledger.followOthers(),
    async takeOver() {
      await ledger.takeOver();
      await beginWriting(driver, ledger);
      maintenance.start();
    },
    compact: () => maintenance.compact(),
    async *backup(content = {}) {
      const release = await maintenance.hold();
      try {
        const isStopped = (): boolean => maintenance.isStopped;
        yield* takeBackup(
          { ledger, log: driver.log, blobs: driver.blobs },
          {
            now,
            timing,
            warn,
            isStopped,
            ...content,
          },
        );
      } finally {
        release();
      }
    },
    async close() {
      maintenance.stop();
      await ledger.close();
      ledger.model.lists.close();
      await maintenance.stopped();
      await driver.close();
    },
  };
}

/** Rejects with `storage_unavailable`: a failing disk is not a defect of the server, and the caller may retry. */
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
    // An error of the pieces must not be reported as one of the storage.
    throw 'error' in failure ? failure.error : storageUnavailable(cause);
  }
}

/**
 * Throws a DamagedStorageError if a log that was in use is empty now. Otherwise this would count as a first start,
 * which creates a new owner account and removes every blob.
 */
async function assertNotLost({ name, log, blobs }: StorageDriver, model: Model): Promise<void> {
  if (model.batchNumber > 0) return;
  const lost = log.dropped
    .filter(({ isTorn }) => !isTorn)
    .map(({ location, bytes }) => `${location} has ${bytes} bytes`);
  const names = await blobs.names();
  if (lost.length === 0 && names.length === 0) return;
  const found = [...lost.slice(0, maxListedLocations), ...(names.length > 0 ? [`source maps: ${names.length}`] : [])];
  throw new DamagedStorageError(
    `${name} has been used before, but its log can't be read (${found.join('; ')}). The storage has lost data, or a ` +
      'restore was cut short. Restore a backup; to start empty, choose another storage or remove this one.',
  );
}

const maxListedLocations = 5;

/**
 * The number of ids of each kind to skip if a part of the log was dropped. A batch assigns a few thousand at most. But
 * a disk that lost one acknowledged batch may have lost others before it without a trace.
 */
const skippedIds = 100_000;

/** Warns the operator of parts of the log that were dropped. Skips the ids that they may have assigned. */
async function warnOfDroppedParts(log: Log, ledger: Ledger, warn: StoreOptions['warn']): Promise<void> {
  const { dropped } = log;
  if (dropped.length === 0) return;
  for (const { location, bytes, isTorn } of dropped) {
    const reason = isTorn
      ? `dropped the last ${bytes} bytes of ${location}, an incomplete batch. After a crash or a power loss, this is a write that was not acknowledged. Otherwise the storage has lost data: compare it with a backup`
      : `dropped ${location}, which has only ${bytes} bytes. The storage has lost durable data: compare it with a backup`;
    warn(null, reason);
  }
  // No id was assigned before the first batch.
  if (ledger.model.batchNumber === 0) return;
  const isDurable = await ledger.skipIds(skippedIds);
  const until = isDurable ? '' : ', until the server stops: the storage could not be written';
  warn(null, `the next ids are ${skippedIds} higher, so that no id of the dropped part is assigned again${until}`);
  // Otherwise the next start finds the same part and skips ids again.
  if (isDurable) await log.removeDropped?.();
}

/** Removes unreferenced blobs and records a leap of the clock. Only the server that writes the log may do so. */
async function beginWriting(driver: StorageDriver, ledger: Ledger): Promise<void> {
  await sweepBlobs(driver.blobs, ledger.model);
  // If the correction can't be written now, a later check writes it.
  await ledger.settleClock().catch(() => undefined);
}

/** Removes unreferenced blobs. A kill between the write of a blob and that of its entry leaves one. */
async function sweepBlobs(blobs: Blobs, model: Model): Promise<void> {
  const known = blobNames(model);
  for (const name of await blobs.names()) if (!known.has(name)) await blobs.remove(name);
}
