import { createStorage, type Driver as UnstorageDriver } from 'unstorage';
import { UnusableStorageError } from '../../store/log/driver.ts';
import { getRawItem } from './raw-item.ts';
import { storageUnusable } from '../../store/log/storage-unusable.ts';

const key = 'check:bytes';
/** Every byte there is, behind what a driver might take for JSON. */
const bytes = Buffer.from(
  ['{"7":', ...Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte))].join(''),
  'latin1',
);

/**
 * Writes an item, finds it, reads it and removes it. Unstorage says nothing when a driver can't write (github, null,
 * `readOnly`), and a folder that a pattern of `ignore` matches seems empty: both would lose what was answered.
 */
export async function checkDriver(name: string, driver: UnstorageDriver): Promise<void> {
  const storage = createStorage({ driver });
  let trouble: string | null = null;
  try {
    await storage.setItemRaw(key, bytes);
    if (!(await getRawItem(storage, key))?.equals(bytes)) trouble = 'does not give back what is written to it';
    else if (!(await storage.getKeys('check')).includes(key)) trouble = 'does not list what is written to it';
    await storage.removeItem(key);
    if (!trouble && (await getRawItem(storage, key))) trouble = 'does not remove what it is told to';
  } catch (error) {
    throw storageUnusable(name, error);
  }
  if (trouble) throw new UnusableStorageError(`The storage ${name} ${trouble}, so nothing can be kept there.`);
}
