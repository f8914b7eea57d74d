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

/** The server's state: read from the model, changed by transactions that are durable once they resolve. */
export interface Store {
  readonly model: Model;
  readonly blobs: Blobs;
  readonly driver: Pick<Driver, 'name' | 'promise' | 'lost'> & { readonly log: Pick<Log, 'sizeBytes'> };
  readonly writeMetrics: WriteMetrics;
  /** See Ledger.commit. */
  commit<Answer>(run: TransactionBody<Answer>): Promise<Answer>;
  /** See Ledger.follow. */
  onCommit(listener: CommitListener): () => void;
  /** Writes pending counts of dropped reports now. Otherwise they are written within a second. */
  flushQuotaDrops(): Promise<void>;
  /** Whether the last write succeeded. After a failed one, retries a small write at most every two seconds. */
  isReady(): Promise<boolean>;
  /** Reads the body of a stored report. Resolves with null if it is no longer stored, or if it is damaged, which is logged. */
  readBody(groupId: number, id: number): Promise<Buffer | null>;
  /** Compacts the log now. Otherwise that happens automatically. Rejects if it is not possible now. */
  compact(): Promise<void>;
  /** Returns a backup of everything as the bytes of one file, in pieces. Nothing is dropped from the log until the last piece. */
  backup(): AsyncGenerator<Buffer>;
  close(): Promise<void>;
}

export interface StoreOptions extends MaintenanceOptions {
  retentionReports: number;
}

/** Health checks are frequent: a storage that has failed is tried at most this often. */
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
  const maintenance = new Maintenance(ledger, driver.log, options);
  maintenance.start();
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
    commit: (run) => ledger.commit(run),
    onCommit: (listener) => ledger.onCommit(listener),
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
    compact: () => maintenance.compact(),
    async *backup() {
      const release = await maintenance.hold();
      try {
        const isStopped = (): boolean => maintenance.isStopped;
        yield* takeBackup({ ledger, log: driver.log, blobs: driver.blobs }, { now, timing, warn, isStopped });
      } finally {
        release();
      }
    },
    async close() {
      maintenance.stop();
      await ledger.close();
      await maintenance.stopped();
      await driver.close();
    },
  };
}

/** A failing disk is no defect of the server: the caller may retry. */
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
    // The source of the pieces failed, not the storage.
    throw 'error' in failure ? failure.error : storageUnavailable(cause);
  }
}

/**
 * Throws a DamagedStorageError if the log was used before and is empty now. It must not pass for a first start, which
 * would create another owner and remove every blob.
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
 * How many ids of each kind are skipped when a part of the log was dropped. A batch assigns 1,000 at most, but a disk that
 * lost an acknowledged batch may have lost earlier ones without a trace.
 */
const skippedIds = 100_000;

/** Logs the parts of the log that were dropped, and skips the ids that they may have assigned. */
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
  // A part that is found again at the next start has its ids skipped again.
  if (isDurable) await log.removeDropped?.();
}

/** Removes the blobs that no record refers to: a kill between writing a blob and its entry leaves one. */
async function sweepBlobs(blobs: Blobs, model: Model): Promise<void> {
  const known = blobNames(model);
  for (const name of await blobs.names()) if (!known.has(name)) await blobs.remove(name);
}
