import { UnusableStorageError } from '../store/log/storage-errors.ts';
import type { RestorableDriver } from '../store/log/storage-driver.ts';
import { openFsDriver } from './unstorage/fs.ts';
import { builtInName, importDriver, type DriverOptions } from './unstorage/import-driver.ts';
import { openMemoryDriver } from './unstorage/memory.ts';
import { openRedisDriver } from './redis/redis.ts';
import { openCheckedDriver } from './unstorage/unstorage.ts';

export { openSqliteDriver } from './sqlite/sqlite.ts';

/** Drivers that evict items. A log with a gap is unreadable. */
const caches = new Set(['lru-cache', 'vercel-runtime-cache']);

/** Opens a driver of unstorage by its name in the config file: `{ driver: 'fs', options: { base: './data' } }`. */
export async function openBuiltInDriver(driver: string, options: DriverOptions): Promise<RestorableDriver> {
  const name = builtInName(driver);
  if (caches.has(name)) throw new UnusableStorageError(`storage: ${name} is a cache, which discards items.`);
  if (name === 'memory') return openMemoryDriver();
  if (name === 'redis') return openRedisDriver(options);
  if (name === 'fs' || name === 'fs-lite') return openFsDriver(name, options);
  const promise = `an acknowledged report survives what unstorage's driver ${name} guarantees for a completed write`;
  return openCheckedDriver(name, promise, await importDriver(name, options));
}
