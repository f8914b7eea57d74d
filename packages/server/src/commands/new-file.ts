import { existsSync, rmSync, statSync } from 'node:fs';
import { link, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { syncFolder } from '../storage/file/sync-folder.ts';
import { CommandError } from './command-error.ts';

/**
 * Throws a `CommandError` if the file exists and must not be replaced, if it is not a file, or if its folder is
 * missing.
 */
export function assertWritable(file: string, isReplaced: boolean): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found && !found.isFile()) throw new CommandError(`${file} is not a file. Name a file to write the backup to.`);
  if (found && !isReplaced)
    throw new CommandError(`${file} already exists. Choose another name, or replace it with --force.`);
  if (!existsSync(dirname(resolve(file))))
    throw new CommandError(`There is no folder ${dirname(file)}. Create it first.`);
}

/**
 * Writes a file that only this user can read, under a temporary name. It is renamed once all its data is on the disk.
 * An error or a signal removes the temporary file.
 */
export async function writeNewFile(
  file: string,
  isReplaced: boolean,
  write: (handle: FileHandle) => Promise<void>,
): Promise<void> {
  const path = resolve(file);
  const partFile = join(dirname(path), `.${basename(path)}.${process.pid}.part`);
  const abort = (): void => {
    rmSync(partFile, { force: true });
    process.exit(130);
  };
  process.once('SIGINT', abort).once('SIGTERM', abort);
  try {
    await rm(partFile, { force: true });
    const handle = await open(partFile, 'wx', 0o600);
    try {
      await write(handle);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (isReplaced) await rename(partFile, path);
    else await linkNew(partFile, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(partFile, { force: true });
    if (!(error as NodeJS.ErrnoException).syscall) throw error;
    throw new CommandError(`${file} cannot be written (${(error as Error).message}).`, { cause: error });
  } finally {
    process.off('SIGINT', abort).off('SIGTERM', abort);
  }
}

/** Gives the file its name by a hard link. Unlike a rename, a link fails if the name was taken in the meantime. */
async function linkNew(partFile: string, path: string): Promise<void> {
  try {
    await link(partFile, path);
    await rm(partFile);
  } catch (error) {
    // Some file systems do not support links.
    if (!/^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS|EMLINK)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    assertWritable(path, false);
    await rename(partFile, path);
  }
}
