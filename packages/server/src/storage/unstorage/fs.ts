import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UnusableStorageError, storageUnusable } from '../../store/log/storage-errors.ts';
import type { RestorableDriver } from '../../store/log/storage-driver.ts';
import { lockFolder } from '../file/file-lock.ts';
import { importDriver, type DriverOptions } from './import-driver.ts';
import { openCheckedDriver } from './unstorage.ts';

/** Opens unstorage's file driver: one file per item, written in place and never synced. `file:` is safer and faster. */
export async function openFsDriver(driver: 'fs' | 'fs-lite', options: DriverOptions): Promise<RestorableDriver> {
  const { base } = options;
  if (typeof base !== 'string' || base === '')
    throw new UnusableStorageError(`storage: options.base: the driver ${driver} needs the path of a folder`);
  const name = `${driver}:${base}`;
  const unlock = await lock(name, resolve(base));
  try {
    const opened = await openCheckedDriver(
      name,
      'an acknowledged report survives the end of this process, but not a power loss',
      await importDriver(driver, options),
    );
    return {
      ...opened,
      async close() {
        await opened.close();
        await unlock();
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}

async function lock(name: string, folder: string): Promise<() => Promise<void>> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw storageUnusable(name, error);
  }
  return lockFolder(folder);
}
