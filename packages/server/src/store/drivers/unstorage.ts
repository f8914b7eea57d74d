import { createStorage, type Driver as UnstorageDriver } from 'unstorage';
import type { Driver } from '../driver.ts';
import { checkDriver } from './check-driver.ts';
import { ItemBlobs } from './item-blobs.ts';
import { ItemLog } from './item-log.ts';

/** The log and the blobs over any unstorage driver: one fresh item a batch, one a blob. */
export function openUnstorageDriver(name: string, promise: string, driver: UnstorageDriver): Driver {
  const storage = createStorage({ driver });
  return {
    name,
    promise,
    log: new ItemLog(storage, name),
    blobs: new ItemBlobs(storage),
    close: () => storage.dispose(),
  };
}

/** The same over a driver that an operator has chosen, once it has shown that it keeps what it is given. */
export async function openCheckedDriver(name: string, promise: string, driver: UnstorageDriver): Promise<Driver> {
  const opened = openUnstorageDriver(name, promise, driver);
  try {
    await checkDriver(name, driver);
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}
