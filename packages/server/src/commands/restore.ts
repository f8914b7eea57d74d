import { open } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Config } from '../config.ts';
import { readBackup, type BackupPart, type BackupTotals } from '../store/backup/backup-file.ts';
import { restoreBackup } from '../store/backup/restore-backup.ts';
import { decodeBatch } from '../store/log/batch.ts';
import { formatTotals, type FileOptions } from './backup.ts';
import { callServer } from './call-server.ts';
import { CommandError } from './command-error.ts';
import { Progress } from './progress.ts';
import { formatBytes } from './format-bytes.ts';
import { openUnused, assertPersistent } from './stopped-storage.ts';

interface RestoreCommandOptions extends FileOptions {
  endsSessions: boolean;
}

/** Restores a backup to a storage that no server uses, after the whole file was verified. */
export async function restore(
  { storage }: Config,
  { file, isForced, endsSessions }: RestoreCommandOptions,
): Promise<string> {
  assertPersistent(storage, 'restore to');
  const running = await callServer(storage, '/ping');
  if (running) {
    const { pid } = JSON.parse(await text(running)) as { pid: number };
    throw new CommandError(`Process ${pid} uses this storage. Stop that server first, then restore.`);
  }
  const { made_at, totals, hasSessions } = await verify(file);
  const driver = await openUnused(storage);
  const { name } = driver;
  try {
    if (!isForced && !(await driver.isEmpty()))
      throw new CommandError(
        `${name} is not empty, and nothing was changed. Use --force to replace all its data with the backup.`,
      );
    await restoreBackup(driver, readFile(file, 'restoring'), { endsSessions });
  } finally {
    await driver.close();
  }
  const restored = `Restored ${formatTotals(totals)}, as of ${made_at}, to ${name}.`;
  if (!hasSessions) return `${restored} The backup contains no sessions.`;
  return endsSessions
    ? `${restored} The next start ends all sessions of the backup.`
    : `${restored} Sessions of the backup that have not expired are valid again; service-server end-sessions ends them.`;
}

interface VerifiedBackup {
  made_at: string;
  totals: BackupTotals;
  hasSessions: boolean;
}

/** Reads the whole file. Rejects with a `BackupFileError` if it can't be restored. */
async function verify(file: string): Promise<VerifiedBackup> {
  const sessions = new Set<string>();
  let made_at = '';
  let totals = { projects: 0, groups: 0, source_maps: 0 };
  for await (const part of readFile(file, 'checking')) {
    if (part.kind === 'heading') ({ made_at } = part.heading);
    if (part.kind === 'end') ({ totals } = part);
    if (part.kind === 'batch')
      decodeBatch(part.bytes, (entry) => {
        if (entry.kind === 'put' && entry.table === 'sessions') sessions.add(entry.record.id);
        if (entry.kind === 'remove' && entry.table === 'sessions') sessions.delete(entry.id);
      });
  }
  return { made_at, totals, hasSessions: sessions.size > 0 };
}

async function* readFile(file: string, action: string): AsyncGenerator<BackupPart> {
  const progress = new Progress();
  try {
    yield* readBackup(backupPieces(file, action, progress), file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== 'read' && (error as NodeJS.ErrnoException).syscall !== 'open')
      throw error;
    throw new CommandError(`${file} cannot be read (${(error as Error).message}).`, { cause: error });
  } finally {
    progress.end();
  }
}

async function* backupPieces(file: string, action: string, progress: Progress): AsyncGenerator<Buffer> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    let bytes = 0;
    for await (const piece of handle.createReadStream({ autoClose: false, highWaterMark: 256 * 1024 })) {
      bytes += (piece as Buffer).length;
      progress.show(() => `${action}: ${formatBytes(bytes)} of ${formatBytes(size)}`);
      yield piece as Buffer;
    }
  } finally {
    await handle.close();
  }
}
