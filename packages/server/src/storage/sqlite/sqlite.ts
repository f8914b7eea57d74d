import type { Connector, Database } from 'db0';
import { mkdir, open, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Driver as UnstorageDriver } from 'unstorage';
import { DamagedStorageError, UnusableStorageError, storageUnusable } from '../../store/log/storage-errors.ts';
import type { RestorableDriver } from '../../store/log/storage-driver.ts';
import { LockedStorageError, lockFile } from '../file/file-lock.ts';
import { missingPackage } from '../../store/log/missing-package.ts';
import { importDriver } from '../unstorage/import-driver.ts';
import { openCheckedDriver } from '../unstorage/unstorage.ts';

/** The suffix of the lock file. The database is locked, not its folder, which can contain other files. */
const lockSuffix = '.lock';
const tableName = 'service';

/** Opens a SQLite database with unstorage's driver for db0. Every write is synced. */
export async function openSqliteDriver(path: string): Promise<RestorableDriver> {
  const name = `sqlite:${path}`;
  const file = resolve(path);
  const connect = await chooseConnector(name);
  const unlock = await lockDatabase(name, file);
  let database: Database | null = null;
  const close = async (): Promise<void> => {
    await database?.dispose();
    await unlock();
  };
  try {
    const { createDatabase } = await import('db0');
    database = createDatabase(connect(file));
    await syncEveryWrite(database);
    // Suppress the warning that the driver is experimental: it passes the tests of all storages.
    Object.assign(globalThis, { __unstorage_db0_experimental_warning__: true });
    const driver = withEmptyValues(await importDriver('db0', { database, tableName }));
    const opened = await openCheckedDriver(name, 'an acknowledged report survives a crash and a power loss', driver);
    return {
      ...opened,
      async close() {
        await opened.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error instanceof UnusableStorageError ? error : storageUnusable(name, error);
  }
}

/** Replaces empty values: Node.js 22 stores them as NULL if they have no address, as in an empty ArrayBuffer. */
function withEmptyValues(driver: UnstorageDriver): UnstorageDriver {
  const empty = Buffer.alloc(1).subarray(0, 0);
  return {
    ...driver,
    setItemRaw: (key, value: Uint8Array, options) =>
      driver.setItemRaw?.(key, value.length === 0 ? empty : value, options),
  };
}

/** Selects SQLite of Node.js if available, else libsql, which has prebuilt binaries. */
async function chooseConnector(name: string): Promise<(file: string) => Connector> {
  // Node.js 22.5 and later; before 22.13 only with a flag.
  const isBuiltIn = process.getBuiltinModule?.('node:sqlite') !== undefined;
  try {
    await import('db0');
    if (isBuiltIn) {
      const { default: nodeSqlite } = await import('db0/connectors/node-sqlite');
      return (path) => nodeSqlite({ path });
    }
    const lib = await import('@libsql/client');
    const { default: libsql } = await import('db0/connectors/libsql/node');
    return (path) => libsql({ url: pathToFileURL(path).href, lib });
  } catch (error) {
    if (!missingPackage(error)) throw storageUnusable(name, error);
    const packages = isBuiltIn ? 'db0' : 'db0 @libsql/client';
    throw new UnusableStorageError(
      `The storage ${name} needs ${isBuiltIn ? 'a package that is' : 'packages that are'} not installed: npm install ${packages}`,
      { cause: error },
    );
  }
}

/** Acquires the lock and creates the file. Only this user can read it: it contains keys and password hashes. */
async function lockDatabase(name: string, file: string): Promise<() => Promise<void>> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const unlock = await lockFile(file + lockSuffix, file);
    try {
      await (await open(file, 'a', 0o600)).close();
      await assertNotEmptied(name, file);
    } catch (error) {
      await unlock();
      throw error;
    }
    return unlock;
  } catch (error) {
    throw error instanceof LockedStorageError || error instanceof DamagedStorageError
      ? error
      : storageUnusable(name, error);
  }
}

/**
 * Rejects if the database is empty but has a write-ahead log: another program emptied it. SQLite would treat it as new.
 */
async function assertNotEmptied(name: string, file: string): Promise<void> {
  const [{ size }, log] = await Promise.all([stat(file), stat(`${file}-wal`).catch(() => null)]);
  if (size > 0 || !log || log.size === 0) return;
  throw new DamagedStorageError(
    `${name} has 0 bytes, and its write-ahead log has ${log.size}: the storage has lost data. Restore a backup; to start ` +
      'empty, choose another storage or remove both files.',
  );
}

/** Makes SQLite sync each write. Rejects if a setting did not take effect: some file systems don't support it. */
async function syncEveryWrite(database: Database): Promise<void> {
  const mode = await database.prepare('PRAGMA journal_mode = WAL').get();
  await database.exec('PRAGMA synchronous = FULL');
  const synchronous = await database.prepare('PRAGMA synchronous').get();
  const [set] = Object.values((synchronous ?? {}) as object);
  const [journal] = Object.values((mode ?? {}) as object);
  if (Number(set) !== 2) throw new Error(`it does not sync writes: synchronous ${set}`);
  // Without shared memory, SQLite uses a journal in mode `delete`, which is also synced.
  if (!['wal', 'delete'].includes(String(journal))) throw new Error(`its journal is not durable: ${journal}`);
}
