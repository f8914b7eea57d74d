import { join } from 'node:path';
import type { RestorableDriver } from '../../src/store/log/storage-driver.ts';
import { openBuiltInDriver } from '../../src/storage/built-in-drivers.ts';
import { openFileDriver } from '../../src/storage/file/file.ts';
import { openMemoryDriver } from '../../src/storage/unstorage/memory.ts';
import { openSqliteDriver } from '../../src/storage/sqlite/sqlite.ts';
import { openCheckedDriver } from '../../src/storage/unstorage/unstorage.ts';
import { temporaryFolder } from '../test-utils/describe-service.ts';
import { hasSqlite } from './has-sqlite.ts';
import { openExclusivePostgresDriver } from '../../src/storage/postgres/postgres.ts';
import { createDatabase, hasPostgres } from './postgres-server.ts';
import { mapDriver } from './map-driver.ts';
import { hasRedis, startRedis } from './redis-server.ts';

/**
 * Functions that create a storage. Each resolves with a function that can open the storage repeatedly. The one of
 * `memory` opens an empty storage each time.
 */
export const storages = {
  async memory() {
    return async () => openMemoryDriver();
  },
  async file() {
    const folder = await temporaryFolder();
    return () => openFileDriver(folder);
  },
  async fs() {
    const base = await temporaryFolder();
    return () => openBuiltInDriver('fs', { base });
  },
  async 'fs-lite'() {
    const base = await temporaryFolder();
    return () => openBuiltInDriver('fsLite', { base });
  },
  async 'text only'() {
    const items = new Map<string, string>();
    return () => openCheckedDriver('map', 'as long as the test', mapDriver(items));
  },
  async sqlite() {
    const path = join(await temporaryFolder(), 'a database.db');
    return () => openSqliteDriver(path);
  },
  async redis() {
    const { url } = await startRedis();
    return () => openBuiltInDriver('redis', { url });
  },
  async postgres() {
    const url = await createDatabase();
    return () => openExclusivePostgresDriver(url);
  },
} satisfies Record<string, () => Promise<() => Promise<RestorableDriver>>>;

export type StorageName = keyof typeof storages;

/** Returns the names of the storages that this machine supports. */
export function storageNames(): StorageName[] {
  const has = { redis: hasRedis, postgres: hasPostgres, sqlite: hasSqlite } as Partial<Record<StorageName, boolean>>;
  return (Object.keys(storages) as StorageName[]).filter((name) => has[name] ?? true);
}
