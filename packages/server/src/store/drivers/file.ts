import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Driver } from '../driver.ts';
import { FileBlobs } from './file-blobs.ts';
import { lockFolder } from './file-lock.ts';
import { FileLog } from './file-log.ts';
import { machineFiles } from './files.ts';

/** Everything in one folder of this machine. The default: safe over a crash and over power loss. */
export async function openFileDriver(path: string, files = machineFiles): Promise<Driver> {
  const folder = resolve(path);
  const logFolder = join(folder, 'log');
  const blobFolder = join(folder, 'blobs');
  await mkdir(logFolder, { recursive: true, mode: 0o700 });
  await mkdir(blobFolder, { recursive: true, mode: 0o700 });
  const unlock = await lockFolder(folder);
  const log = new FileLog(logFolder, files);
  return {
    name: `file:${path}`,
    promise: 'what is answered survives a crash and a power loss',
    log,
    blobs: new FileBlobs(blobFolder, files),
    async close() {
      await log.close();
      await unlock();
    },
  };
}
