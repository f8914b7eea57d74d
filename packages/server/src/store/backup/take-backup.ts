import { encodeBatch, withoutEntries } from '../log/batch.ts';
import { signingKeySetting } from '../records/setting-records.ts';
import { stateSlices, type CompactionOptions } from '../log/compaction.ts';
import { DamagedStorageError } from '../log/storage-errors.ts';
import type { Blobs, Log } from '../log/storage-driver.ts';
import { readFrameBodies } from '../log/batch-frame.ts';
import type { AppendedBatch, Ledger } from '../log/ledger.ts';
import type { Model } from '../model/model.ts';
import { blobNames } from '../model/blob-names.ts';
import { BackupWriter, type BackupPart, type BackupTotals } from './backup-file.ts';

export interface BackupSource {
  ledger: Ledger;
  log: Log;
  blobs: Blobs;
}

export interface BackupContent {
  /** Leaves out the signing key, sessions, sign-in links and invitations. A restored server creates a new key. */
  withoutSecrets?: boolean | undefined;
}

export interface BackupOptions extends CompactionOptions, BackupContent {
  now: () => number;
}

/**
 * Yields a backup of everything, piece by piece, while the server continues to accept reports. A backup contains the
 * slices that a compaction would write and, between them, the batches that are committed in the meantime. Those batches
 * are read from the log, so nothing may be dropped from the log until the last piece. Everything that was acknowledged
 * before the first piece is in the backup.
 */
export async function* takeBackup(source: BackupSource, options: BackupOptions): AsyncGenerator<Buffer> {
  const writer = new BackupWriter();
  for await (const part of backupParts(source, options)) {
    const written = options.withoutSecrets ? withoutSecrets(part) : part;
    if (written) yield writer.write(written);
    // The reader of an incomplete backup must see an error.
    if (options.isStopped()) throw new Error('The server is stopping.');
  }
}

const secretTables = new Set(['sessions', 'links', 'invitations']);

/** Returns a part without secrets, or null if nothing is left of it. */
function withoutSecrets(part: BackupPart): BackupPart | null {
  if (part.kind !== 'batch') return part;
  const bytes = withoutEntries(
    part.bytes,
    (entry) =>
      (entry.kind === 'put' || entry.kind === 'remove') &&
      (secretTables.has(entry.table) ||
        (entry.table === 'settings' && entry.kind === 'put' && entry.record.id === signingKeySetting)),
  );
  return bytes.length === 0 ? null : { ...part, bytes };
}

async function* backupParts({ ledger, log, blobs }: BackupSource, options: BackupOptions): AsyncGenerator<BackupPart> {
  const appended: AppendedBatch[] = [];
  const unsubscribers: (() => void)[] = [];
  try {
    yield {
      kind: 'heading',
      heading: { made_at: new Date(options.now()).toISOString(), about_bytes: aboutBytes(ledger.model) },
    };
    for await (const make of stateSlices(ledger, log, options)) {
      const { before, slice } = await ledger.runExclusive(async () => {
        const written = make();
        // Transactions from before the first slice are in the state.
        if (unsubscribers.length === 0) unsubscribers.push(ledger.onCommit((batch) => appended.push(batch)));
        return { before: appended.splice(0), slice: written.length > 0 ? encodeBatch(written) : null };
      });
      for (const batch of before) yield readBatch(log, batch);
      if (slice) yield { kind: 'batch', bytes: slice.bytes, bodies: slice.bodies };
    }
    const writtenNames = new Set<string>();
    for (;;) {
      const { before, missing, totals } = await ledger.runExclusive(async () => ({
        before: appended.splice(0),
        missing: [...blobNames(ledger.model)].filter((name) => !writtenNames.has(name)),
        totals: totalsOf(ledger.model),
      }));
      for (const batch of before) yield readBatch(log, batch);
      if (missing.length === 0) return yield { kind: 'end', totals };
      for (const name of missing) {
        writtenNames.add(name);
        yield* blobParts(name, blobs.getPieces(name), () => {
          if (blobNames(ledger.model).has(name)) options.warn(new Error(name), 'the storage has lost a source map');
        });
      }
    }
  } finally {
    for (const unsubscribe of unsubscribers) unsubscribe();
  }
}

/**
 * Yields the pieces of a blob. Calls `onMissing` if it has disappeared. A source map that is deleted during the backup
 * is not needed: a later batch of the backup contains its removal.
 */
async function* blobParts(
  name: string,
  pieces: AsyncIterable<Uint8Array>,
  onMissing: () => void,
): AsyncGenerator<BackupPart> {
  let bytes: Uint8Array | null = null;
  try {
    for await (const piece of pieces) {
      if (bytes) yield { kind: 'blob', name, isLast: false, bytes };
      bytes = piece;
    }
  } catch (error) {
    if (!(error instanceof DamagedStorageError)) throw error;
    onMissing();
  }
  if (bytes) yield { kind: 'blob', name, isLast: true, bytes };
  else onMissing();
}

async function readBatch(log: Log, { position, entriesBytes, bodiesBytes }: AppendedBatch): Promise<BackupPart> {
  const read = await log.readAt(position, 0, entriesBytes + bodiesBytes);
  const bytes = Buffer.from(read.buffer, read.byteOffset, read.byteLength);
  const bodies = bytes.length === entriesBytes + bodiesBytes ? readFrameBodies(bytes.subarray(entriesBytes)) : null;
  if (!bodies) throw new DamagedStorageError('A batch of the log was damaged after it was written.');
  return { kind: 'batch', bytes: bytes.subarray(0, entriesBytes), bodies };
}

function totalsOf({ tables, groups }: Model): BackupTotals {
  return { projects: tables.projects.size, groups: groups.size, source_maps: tables.source_maps.size };
}

/** Estimates the size of the backup, for a progress display. Packed source maps take about a quarter of their size. */
function aboutBytes({ tables, groups, responses, storedBytes }: Model): number {
  const maps = Array.from(tables.source_maps.values(), ({ size }) => size).reduce((sum, size) => sum + size, 0);
  return Math.round(storedBytes * 1.02 + groups.size * 400 + responses.size * 60 + maps / 4 + 10_000);
}
