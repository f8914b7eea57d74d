import type { StorageDriver } from '../../../packages/server/src/store/log/storage-driver.ts';
import { FileBlobs } from '../../../packages/server/src/storage/file/file-blobs.ts';
import { FileLog } from '../../../packages/server/src/storage/file/file-log.ts';
import { openUnstorageDriver } from '../../../packages/server/src/storage/unstorage/unstorage.ts';
import { PostgresBlobs } from '../../../packages/server/src/storage/postgres/postgres-blobs.ts';
import { PostgresLog } from '../../../packages/server/src/storage/postgres/postgres-log.ts';
import { UnknownOutcomeError } from '../../../packages/server/src/storage/postgres/primary-connection.ts';
import { connectionOf, SimulatedTables } from '../../../packages/server/test/storage/simulated-tables.ts';
import { Disk } from './disk.ts';
import { Items } from './items.ts';
import type { Process } from './process.ts';
import type { SeededRandom } from '../../test-utils/seeded-random.mjs';

/** A storage that survives the processes that use it. */
export interface Storage {
  /** Returns the server's driver on this storage, for one process. */
  driver(process: Process, random: SeededRandom): StorageDriver;
  losePower(random: SeededRandom): void;
  clone(): Storage;
  /**
   * A write of unknown outcome is repeated until its outcome is known. After a failure, other writes may be rejected
   * for up to this long.
   */
  settleMs: number;
  /** Below 1 if the server waits for as long as every operation fails. */
  maxFailureRate: number;
}

/** Small, so that a session fills several segments. */
const segmentBytes = 8 * 1024;

export const storageNames = ['files', 'items', 'tables'] as const;
export type StorageName = (typeof storageNames)[number];

export function emptyStorage(name: StorageName): Storage {
  if (name === 'tables') return inTables(new SimulatedTables());
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
    settleMs: 0,
    maxFailureRate: 1,
  };
}

function inItems(items: Items): Storage {
  return {
    driver: (process, random) =>
      openUnstorageDriver('simulated items', 'an acknowledged report survives a crash', items.driver(process, random)),
    // Such a storage acknowledges only durable writes.
    losePower: () => undefined,
    clone: () => inItems(items.clone()),
    settleMs: 0,
    maxFailureRate: 1,
  };
}

/** The driver `postgres:`. The outcome of a statement that fails is unknown to it. */
function inTables(tables: SimulatedTables): Storage {
  return {
    driver(process) {
      const connection = connectionOf((query) =>
        process
          .run({
            name: isOfBlob(query.name) ? `blob ${query.name}` : `${query.name}`,
            perform: () => tables.run(query),
          })
          .catch((cause: unknown) => {
            throw new UnknownOutcomeError('simulated', { cause });
          }),
      );
      const name = 'simulated tables';
      const log = new PostgresLog({ writer: connection, reader: connection }, name, () => undefined, process.timing);
      return {
        name,
        durability: 'an acknowledged report survives a crash and a power loss',
        log,
        blobs: new PostgresBlobs(connection),
        close: async () => log.close(),
      };
    },
    losePower: () => undefined,
    clone: () => inTables(tables.clone()),
    settleMs: 2_000,
    maxFailureRate: 0.5,
  };
}

function isOfBlob(statement = ''): boolean {
  return ['putSlice', 'slice', 'removeBlob', 'blobNames'].includes(statement);
}
