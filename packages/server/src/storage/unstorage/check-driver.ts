import { createStorage, type Driver as UnstorageDriver } from 'unstorage';
import { UnusableStorageError, storageUnusable } from '../../store/log/storage-errors.ts';
import { getRawItem } from './raw-item.ts';

const probeKey = 'check:bytes';
/** All 256 byte values, after a prefix that a driver could mistake for JSON. */
const bytes = Buffer.from(
  ['{"7":', ...Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte))].join(''),
  'latin1',
);

/**
 * Writes, reads, lists and removes an item. Rejects with an `UnusableStorageError` if the driver fails one of these.
 * Unstorage does not report that a driver can't write (github, null, `readOnly`), and a folder that matches a pattern
 * of `ignore` appears empty. Both would lose acknowledged reports.
 */
export async function checkDriver(name: string, driver: UnstorageDriver): Promise<void> {
  const storage = createStorage({ driver });
  let defect: string | null = null;
  try {
    await storage.setItemRaw(probeKey, bytes);
    if (!(await getRawItem(storage, probeKey))?.equals(bytes)) defect = 'does not return the bytes that were written';
    else if (!(await storage.getKeys('check')).includes(probeKey)) defect = 'does not list the item that was written';
    await storage.removeItem(probeKey);
    if (!defect && (await getRawItem(storage, probeKey))) defect = 'does not remove items';
  } catch (error) {
    throw storageUnusable(name, error);
  }
  if (defect) throw new UnusableStorageError(`The storage ${name} ${defect}, so it can't store data.`);
}
