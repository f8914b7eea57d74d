import { UnusableStorageError, type RestorableDriver } from '../store/log/driver.ts';
import { openFsDriver } from './unstorage/fs.ts';
import { builtInName, importDriver, type DriverOptions } from './unstorage/import-driver.ts';
import { openMemoryDriver } from './unstorage/memory.ts';
import { openRedisDriver } from './redis/redis.ts';
import { openCheckedDriver } from './unstorage/unstorage.ts';

export { openSqliteDriver } from './sqlite/sqlite.ts';

/** They forget by themselves, and a log with a hole is none. */
const caches = new Set(['lru-cache', 'vercel-runtime-cache']);

/** One of unstorage's own drivers, named as in the config file: `{ driver: 'fs', options: { base: './data' } }`. */
export async function openBuiltInDriver(driver: string, options: DriverOptions): Promise<RestorableDriver> {
  const name = builtInName(driver);
  if (caches.has(name)) throw new UnusableStorageError(`storage: ${name} is a cache and forgets by itself.`);
  if (name === 'memory') return openMemoryDriver();
  if (name === 'redis') return openRedisDriver(options);
  if (name === 'fs' || name === 'fs-lite') return openFsDriver(name, options);
  const promise = `what is answered survives what unstorage's driver ${name} makes of a finished write`;
  return openCheckedDriver(name, promise, await importDriver(name, options));
}
