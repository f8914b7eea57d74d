import memory from 'unstorage/drivers/memory';
import type { RestorableDriver } from '../../store/log/storage-driver.ts';
import { openUnstorageDriver } from './unstorage.ts';

/** Opens a storage in the memory of this process, for tests and trials. */
export function openMemoryDriver(): RestorableDriver {
  return openUnstorageDriver('memory:', 'nothing survives the end of this process', memory());
}
