import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { UnusableStorageError, storageUnusable } from '../../store/log/storage-errors.ts';
import type { Batch, RestorableDriver } from '../../store/log/storage-driver.ts';
import { FileBlobs } from './file-blobs.ts';
import { LockedStorageError, lockFolder } from './file-lock.ts';
import { FileLog } from './file-log.ts';
import { machineFiles, readOnlyFiles } from './files.ts';
import { finishReplacing, replaceFolder } from './replace-folder.ts';

/** Opens a storage in a folder of this machine. This is the default. It survives crashes and power losses. */
export async function openFileDriver(path: string, files = machineFiles): Promise<RestorableDriver> {
  const folder = resolve(path);
  const logFolder = join(folder, 'log');
  const blobFolder = join(folder, 'blobs');
  const unlock = await lockDataFolder(`file:${path}`, folder, [logFolder, blobFolder]);
  await finishReplacing(logFolder);
  const log = new FileLog(logFolder, files);
  return {
    name: `file:${path}`,
    durability: 'an acknowledged report survives a crash and a power loss',
    folder,
    log,
    blobs: new FileBlobs(blobFolder, files),
    isEmpty: async () => !(await files.readdir(logFolder)).some((name) => name.endsWith('.log')),
    async replaceLog(batches) {
      await log.close();
      await replaceFolder(logFolder, (other) => writeLog(new FileLog(other, files), batches(1)));
    },
    async close() {
      await log.close();
      await unlock();
    },
  };
}

/**
 * Opens a storage only to read it, in a folder that can't be written: a snapshot, or a volume that is mounted
 * read-only. The reader may fail if a server writes to the folder at the same time, and removes files that are being
 * read.
 */
export function openFileReader(path: string): RestorableDriver {
  const folder = resolve(path);
  const log = new FileLog(join(folder, 'log'), readOnlyFiles);
  return {
    name: `file:${path}`,
    durability: 'nothing is written',
    log,
    blobs: new FileBlobs(join(folder, 'blobs'), readOnlyFiles),
    isEmpty: async () => false,
    replaceLog: () => Promise.reject(new UnusableStorageError(`The storage file:${path} can't be written.`)),
    close: () => log.close(),
  };
}

/** Creates missing folders and acquires the lock. */
async function lockDataFolder(name: string, folder: string, inner: readonly string[]): Promise<() => Promise<void>> {
  try {
    for (const path of inner) await mkdir(path, { recursive: true, mode: 0o700 });
    return await lockFolder(folder);
  } catch (error) {
    if (error instanceof LockedStorageError) throw error;
    if (/^(ENOTDIR|EEXIST)$/.test((error as NodeJS.ErrnoException).code ?? ''))
      throw new UnusableStorageError(`The storage ${name} can't be used: a file exists where a folder is expected.`, {
        cause: error,
      });
    throw storageUnusable(name, error);
  }
}

async function writeLog(log: FileLog, batches: AsyncIterable<Batch>): Promise<void> {
  let number = 0;
  try {
    for await (const { bytes, bodies } of batches) await log.append(++number, bytes, bodies);
  } finally {
    await log.close();
  }
}
