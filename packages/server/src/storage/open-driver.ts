import type { Config } from '../config.ts';
import type { RestorableDriver } from '../store/log/storage-driver.ts';
import { openFileDriver } from './file/file.ts';

/** Opens the configured storage. All but the default are imported on demand, because they load unstorage or `pg`. */
export async function openDriver(storage: Config['storage']): Promise<RestorableDriver> {
  if (typeof storage === 'string' && storage.startsWith('file:')) return openFileDriver(storage.slice('file:'.length));
  if (storage === 'memory:') return (await import('./unstorage/memory.ts')).openMemoryDriver();
  if (isPostgres(storage)) {
    const { openExclusivePostgresDriver } = await import('./postgres/postgres.ts');
    return openExclusivePostgresDriver(storage);
  }
  const { openBuiltInDriver, openSqliteDriver } = await import('./built-in-drivers.ts');
  if (typeof storage !== 'string') return openBuiltInDriver(storage.driver, storage.options);
  return storage.startsWith('sqlite:')
    ? openSqliteDriver(storage.slice('sqlite:'.length))
    : openBuiltInDriver('redis', { url: storage });
}

/** The address of a storage in PostgreSQL. */
export type PostgresUrl = `postgres${string}:${string}`;

/** Returns whether several servers can share a storage. */
export function isPostgres(storage: Config['storage']): storage is PostgresUrl {
  return typeof storage === 'string' && /^postgres(?:ql)?:/.test(storage);
}
