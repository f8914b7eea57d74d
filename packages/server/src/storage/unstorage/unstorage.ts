import { createStorage, type Driver as UnstorageDriver } from 'unstorage';
import type { RestorableDriver } from '../../store/log/driver.ts';
import { checkDriver } from './check-driver.ts';
import { ItemBlobs } from './item-blobs.ts';
import { ItemLog } from './item-log.ts';

/** The log and the blobs over any unstorage driver: one fresh item a batch, one a blob. */
export function openUnstorageDriver(
  name: string,
  promise: string,
  driver: UnstorageDriver,
  isReader = false,
): RestorableDriver {
  const storage = createStorage({ driver });
  const log = new ItemLog(storage, name, isReader);
  return {
    name,
    promise,
    log,
    blobs: new ItemBlobs(storage),
    isEmpty: () => log.isEmpty(),
    replaceLog: (batches) => log.replace(batches),
    close: () => storage.dispose(),
  };
}

/** The same over a driver that an operator has chosen, once it has shown that it keeps what it is given. */
export async function openCheckedDriver(
  name: string,
  promise: string,
  driver: UnstorageDriver,
): Promise<RestorableDriver> {
  const opened = openUnstorageDriver(name, promise, driver);
  try {
    await checkDriver(name, driver);
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}
