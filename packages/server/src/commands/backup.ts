import type { FileHandle } from 'node:fs/promises';
import type { Config } from '../config.ts';
import { readBackup, type BackupHeading, type BackupTotals } from '../store/backup/backup-file.ts';
import { takeBackup, type BackupContent } from '../store/backup/take-backup.ts';
import { DamagedStorageError } from '../store/log/storage-errors.ts';
import { entryVersion } from '../store/records/entry.ts';
import { Ledger } from '../store/log/ledger.ts';
import { machineTiming } from '../time/timing.ts';
import { callServer, HolderUnreachableError } from './call-server.ts';
import { CommandError } from './command-error.ts';
import { assertWritable, writeNewFile } from './new-file.ts';
import { printWarning } from './print-warning.ts';
import { Progress } from './progress.ts';
import { formatBytes } from './format-bytes.ts';
import { isRemote, openToRead, assertPersistent } from './stopped-storage.ts';

const maxAttempts = 5;

export interface FileOptions {
  file: string;
  /** True to replace existing data. */
  isForced: boolean;
}

/**
 * Throws for any format but the current one. A backup for an older server would have to leave out the data that its
 * format lacks, and that loss would go unnoticed.
 */
export function assertBackupFormat(format: string | undefined): void {
  if (format === undefined || Number(format) === entryVersion) return;
  throw new CommandError(
    `This server writes backups of format ${entryVersion} only. To go back to an older server, restore the backup that was ` +
      'made before the upgrade; reports since then are not in it.',
  );
}

interface BackupCommandOptions extends FileOptions, BackupContent {}

/**
 * Writes all data to a file. Reads it from the running server, or from the storage if no server can be reached from
 * this machine.
 */
export async function backup(
  config: Config,
  { file, isForced, withoutSecrets }: BackupCommandOptions,
): Promise<string> {
  assertPersistent(config.storage, 'back up');
  assertWritable(file, isForced);
  let written = { bytes: 0, totals: { projects: 0, groups: 0, source_maps: 0 } };
  const write = (): Promise<void> =>
    writeNewFile(file, isForced, async (handle) => {
      written = await copy(await source(config, { withoutSecrets }), handle, file);
    });
  for (let attempt = 1; ; attempt++) {
    try {
      await write();
      break;
    } catch (error) {
      // A server on another machine may compact the log, and so delete batches while they are read.
      const isTransient = isRemote(config.storage) && error instanceof DamagedStorageError;
      if (!isTransient || attempt === maxAttempts) throw error;
    }
  }
  return `Backed up ${formatTotals(written.totals)} to ${file} (${formatBytes(written.bytes)}).`;
}

/** Copies a backup to a file and parses it at the same time, so that every written file is readable. */
async function copy(
  pieces: AsyncIterable<Buffer>,
  handle: FileHandle,
  file: string,
): Promise<{ bytes: number; totals: BackupTotals }> {
  const progress = new Progress();
  let bytes = 0;
  let heading: BackupHeading | null = null;
  let totals: BackupTotals | null = null;
  async function* written(): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      await handle.writeFile(piece);
      bytes += piece.length;
      progress.show(() => `${formatBytes(bytes)} of about ${formatBytes(Math.max(bytes, heading?.about_bytes ?? 0))}`);
      yield piece;
    }
  }
  try {
    for await (const part of readBackup(written(), file)) {
      if (part.kind === 'heading') ({ heading } = part);
      if (part.kind === 'end') ({ totals } = part);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
    throw new CommandError('The server ended the backup early. Its log has the reason.', { cause: error });
  } finally {
    progress.end();
  }
  if (!totals) throw new CommandError('The backup is incomplete.');
  return { bytes, totals };
}

async function source({ storage, retentionReports }: Config, content: BackupContent): Promise<AsyncIterable<Buffer>> {
  const path = content.withoutSecrets ? '/backup-without-secrets' : '/backup';
  const response = await callServer(storage, path).catch((error: unknown) => {
    // A storage whose server runs on another machine is read directly.
    if (error instanceof HolderUnreachableError) return null;
    throw error;
  });
  if (response) return response as AsyncIterable<Buffer>;
  return readStopped(storage, retentionReports, content);
}

async function* readStopped(
  storage: Config['storage'],
  retentionReports: number,
  content: BackupContent,
): AsyncGenerator<Buffer> {
  const driver = await openToRead(storage);
  try {
    const ledger = await Ledger.open(driver.log, retentionReports, Date.now);
    if (ledger.model.batchNumber === 0) throw new CommandError(`${driver.name} is empty: there is nothing to back up.`);
    yield* takeBackup(
      { ledger, log: driver.log, blobs: driver.blobs },
      {
        now: Date.now,
        timing: machineTiming,
        warn: printWarning,
        isStopped: () => false,
        ...content,
      },
    );
  } finally {
    await driver.close();
  }
}

export function formatTotals({ projects, groups, source_maps }: BackupTotals): string {
  return `${pluralize(projects, 'project')}, ${pluralize(groups, 'group')} and ${pluralize(source_maps, 'source map')}`;
}

function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
