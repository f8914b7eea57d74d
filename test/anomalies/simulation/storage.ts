import type { Driver } from '../../../packages/server/src/store/log/storage-driver.ts';
import { FileBlobs } from '../../../packages/server/src/storage/file/file-blobs.ts';
import { FileLog } from '../../../packages/server/src/storage/file/file-log.ts';
import { openUnstorageDriver } from '../../../packages/server/src/storage/unstorage/unstorage.ts';
import { Disk } from './disk.ts';
import { Items } from './items.ts';
import type { Process } from './process.ts';
import type { SeededRandom } from '../../test-utils/seeded-random.mjs';

/** A storage that survives the processes that use it. */
export interface Storage {
  /** Returns the server's driver on this storage, for one process. */
  driver(process: Process, random: SeededRandom): Driver;
  losePower(random: SeededRandom): void;
  clone(): Storage;
}

/** Small, so that a session fills several segments. */
const segmentBytes = 8 * 1024;

export const storageNames = ['files', 'items'] as const;
export type StorageName = (typeof storageNames)[number];

export function emptyStorage(name: StorageName): Storage {
  return name === 'files' ? onDisk(new Disk()) : inItems(new Items());
}

function onDisk(disk: Disk): Storage {
  return {
    driver(process, random) {
      const files = disk.files(process, random);
      const log = new FileLog('log', files, segmentBytes);
      return {
        name: 'simulated files',
        durability: 'an acknowledged report survives a crash and a power loss',
        log,
        blobs: new FileBlobs('blobs', files),
        close: () => log.close(),
      };
    },
    losePower: (random) => disk.losePower(random),
    clone: () => onDisk(disk.clone()),
  };
}

function inItems(items: Items): Storage {
  return {
    driver: (process, random) =>
      openUnstorageDriver('simulated items', 'an acknowledged report survives a crash', items.driver(process, random)),
    // Such a storage acknowledges only durable writes.
    losePower: () => undefined,
    clone: () => inItems(items.clone()),
  };
}
