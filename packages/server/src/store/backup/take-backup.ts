import { encodeBatch } from '../log/batch.ts';
import { stateSlices, type CompactionOptions } from '../log/compaction.ts';
import { DamagedStorageError, type Blobs, type Log } from '../log/driver.ts';
import { readFrameBodies } from '../log/frame.ts';
import type { AppendedBatch, Ledger } from '../log/ledger.ts';
import type { Model } from '../model/model.ts';
import { blobNames } from '../model/blob-names.ts';
import { BackupWriter, type BackupPart, type BackupTotals } from './backup-file.ts';

export interface BackupSource {
  ledger: Ledger;
  log: Log;
  blobs: Blobs;
}

export interface BackupOptions extends CompactionOptions {
  now: () => number;
}

/**
 * Returns a backup in pieces while the server keeps running. It consists of the slices that a compaction writes, and
 * between them the batches that were appended to the log since. They are read from the log, so nothing may be dropped from
 * it until the last piece. The backup contains all that was acknowledged before the first piece.
 */
export async function* takeBackup(of: BackupSource, options: BackupOptions): AsyncGenerator<Buffer> {
  const writer = new BackupWriter();
  for await (const part of backupParts(of, options)) {
    yield writer.write(part);
    // An incomplete backup must be recognised as one.
    if (options.isStopped()) throw new Error('The server stops.');
  }
}

async function* backupParts({ ledger, log, blobs }: BackupSource, options: BackupOptions): AsyncGenerator<BackupPart> {
  const appended: AppendedBatch[] = [];
  const following: (() => void)[] = [];
  try {
    yield {
      kind: 'heading',
      heading: { made_at: new Date(options.now()).toISOString(), about_bytes: aboutBytes(ledger.model) },
    };
    for await (const make of stateSlices(ledger, log, options)) {
      const { before, slice } = await ledger.runExclusive(async () => {
        const written = make();
        // Earlier batches are part of the state.
        if (following.length === 0) following.push(ledger.onCommit((batch) => appended.push(batch)));
        return { before: appended.splice(0), slice: written.length > 0 ? encodeBatch(written) : null };
      });
      for (const batch of before) yield readBatch(log, batch);
      if (slice) yield { kind: 'batch', bytes: slice.bytes, bodies: slice.bodies };
    }
    const written = new Set<string>();
    for (;;) {
      const { before, missing, totals } = await ledger.runExclusive(async () => ({
        before: appended.splice(0),
        missing: [...blobNames(ledger.model)].filter((name) => !written.has(name)),
        totals: totalsOf(ledger.model),
      }));
      for (const batch of before) yield readBatch(log, batch);
      if (missing.length === 0) return yield { kind: 'end', totals };
      for (const name of missing) {
        written.add(name);
        yield* blobParts(name, blobs.getPieces(name), () => {
          if (blobNames(ledger.model).has(name)) options.warn(new Error(name), 'the storage has lost a source map');
        });
      }
    }
  } finally {
    for (const unfollow of following) unfollow();
  }
}

/** A source map that was deleted in the meantime is not needed: one of the next batches removes it. */
async function* blobParts(
  name: string,
  pieces: AsyncIterable<Uint8Array>,
  isGone: () => void,
): AsyncGenerator<BackupPart> {
  let bytes: Uint8Array | null = null;
  try {
    for await (const piece of pieces) {
      if (bytes) yield { kind: 'blob', name, isLast: false, bytes };
      bytes = piece;
    }
  } catch (error) {
    if (!(error instanceof DamagedStorageError)) throw error;
    isGone();
  }
  if (bytes) yield { kind: 'blob', name, isLast: true, bytes };
  else isGone();
}

async function readBatch(log: Log, { position, entriesBytes, bodiesBytes }: AppendedBatch): Promise<BackupPart> {
  const read = await log.readAt(position, 0, entriesBytes + bodiesBytes);
  const bytes = Buffer.from(read.buffer, read.byteOffset, read.byteLength);
  const bodies = bytes.length === entriesBytes + bodiesBytes ? readFrameBodies(bytes.subarray(entriesBytes)) : null;
  if (!bodies) throw new DamagedStorageError('A batch of the log is not as it was written a moment ago.');
  return { kind: 'batch', bytes: bytes.subarray(0, entriesBytes), bodies };
}

function totalsOf({ tables, groups }: Model): BackupTotals {
  return { projects: tables.projects.size, groups: groups.size, source_maps: tables.source_maps.size };
}

/** Estimates the size, for progress indicators. Compressed, source maps take about a quarter of their size. */
function aboutBytes({ tables, groups, responses, storedBytes }: Model): number {
  const maps = Array.from(tables.source_maps.values(), ({ size }) => size).reduce((sum, size) => sum + size, 0);
  return Math.round(storedBytes * 1.02 + groups.size * 400 + responses.size * 60 + maps / 4 + 10_000);
}
