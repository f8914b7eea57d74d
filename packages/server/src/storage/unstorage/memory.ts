import memory from 'unstorage/drivers/memory';
import type { RestorableDriver } from '../../store/log/driver.ts';
import { openUnstorageDriver } from './unstorage.ts';

/** Everything in this process, gone with it: for tests and for trying out. */
export function openMemoryDriver(): RestorableDriver {
  return openUnstorageDriver('memory:', 'nothing survives the end of this process', memory());
}
