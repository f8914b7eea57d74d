import { existsSync, rmSync, statSync } from 'node:fs';
import { link, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { syncFolder } from '../storage/file/sync-folder.ts';
import { CommandError } from './command-error.ts';

/** Refuses a file that can't be written, or that is there already unless it may be replaced. */
export function assertWritable(file: string, isReplaced: boolean): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found && !found.isFile()) throw new CommandError(`${file} is not a file. Name a file to write the backup to.`);
  if (found && !isReplaced)
    throw new CommandError(`${file} is there already. Choose another name, or replace it with --force.`);
  if (!existsSync(dirname(resolve(file)))) throw new CommandError(`There is no folder ${dirname(file)}.`);
}

/**
 * Writes a file under another name beside it, for this user alone; it has its name once all of it is on the disk.
 * Whatever goes wrong, also a signal, leaves nothing behind.
 */
export async function writeNewFile(
  file: string,
  isReplaced: boolean,
  write: (handle: FileHandle) => Promise<void>,
): Promise<void> {
  const path = resolve(file);
  const transaction = join(dirname(path), `.${basename(path)}.${process.pid}.part`);
  const giveUp = (): void => {
    rmSync(transaction, { force: true });
    process.exit(130);
  };
  process.once('SIGINT', giveUp).once('SIGTERM', giveUp);
  try {
    await rm(transaction, { force: true });
    const handle = await open(transaction, 'wx', 0o600);
    try {
      await write(handle);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (isReplaced) await rename(transaction, path);
    else await linkNew(transaction, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(transaction, { force: true });
    if (!(error as NodeJS.ErrnoException).syscall) throw error;
    throw new CommandError(`${file} can't be written (${(error as Error).message}).`, { cause: error });
  } finally {
    process.off('SIGINT', giveUp).off('SIGTERM', giveUp);
  }
}

/** Unlike a rename it fails where something has come to stand meanwhile. */
async function linkNew(transaction: string, path: string): Promise<void> {
  try {
    await link(transaction, path);
    await rm(transaction);
  } catch (error) {
    // Some file systems have no links.
    if (!/^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS|EMLINK)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    assertWritable(path, false);
    await rename(transaction, path);
  }
}
