import { createStorage, type Driver as UnstorageDriver } from 'unstorage';
import type { RestorableDriver } from '../../store/log/storage-driver.ts';
import { checkDriver } from './check-driver.ts';
import { ItemBlobs } from './item-blobs.ts';
import { ItemLog } from './item-log.ts';

/** Opens a storage on any unstorage driver, with one item per batch, and one or more per blob. */
export function openUnstorageDriver(
  name: string,
  durability: string,
  driver: UnstorageDriver,
  isReader = false,
): RestorableDriver {
  const storage = createStorage({ driver });
  const log = new ItemLog(storage, name, isReader);
  return {
    name,
    durability,
    log,
    blobs: new ItemBlobs(storage),
    isEmpty: () => log.isEmpty(),
    replaceLog: (batches) => log.replace(batches),
    close: () => storage.dispose(),
  };
}

/** Works like `openUnstorageDriver` for a driver that an operator configured. First checks that it stores items. */
export async function openCheckedDriver(
  name: string,
  durability: string,
  driver: UnstorageDriver,
): Promise<RestorableDriver> {
  const opened = openUnstorageDriver(name, durability, driver);
  try {
    await checkDriver(name, driver);
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}
