import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { joinKeys, type Driver as UnstorageDriver } from 'unstorage';
import { UnusableStorageError, type RestorableDriver } from '../../store/log/driver.ts';
import { importDriver, type DriverOptions } from '../unstorage/import-driver.ts';
import { isOfLog } from '../unstorage/item-log.ts';
import { reader, RedisPlace, type ServerName } from './redis-lock.ts';
import { RedisWriter } from './redis-writer.ts';
import { openCheckedDriver, openUnstorageDriver } from '../unstorage/unstorage.ts';
import { storageUnusable } from '../../store/log/storage-unusable.ts';

const defaults = {
  /** Everything of ours begins with it: the database may hold other things too. */
  base: 'service',
  /** Redis' own 10 would be a round trip for each ten keys of the whole database, ours or not. */
  scanCount: 1_000,
  connectTimeout: 5_000,
  commandTimeout: 5_000,
};

/** Whoever waits is told at once that Redis is away: nothing is queued, and nothing is sent twice behind our back. */
const required = {
  lazyConnect: true,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
};

/**
 * One Redis or Valkey, reached by the client of unstorage's driver. As durable as its `appendfsync`.
 * `isReader`: nothing is written, for a server may be writing to it. `patienceMs`: for how long another server may take to
 * end, or to be silent enough to be gone; then it rejects with an UnusableStorageError.
 */
export async function openRedisDriver(
  options: DriverOptions,
  { isReader = false, patienceMs = 20_000, beatMs = 2_500, silentMs = 15_000 } = {},
): Promise<RestorableDriver> {
  for (const name of ['cluster', 'ttl', 'keyPrefix'])
    if (options[name] !== undefined)
      throw new UnusableStorageError(`storage: options.${name}: can't be used, for the log has to stay in one piece`);
  refuseOwnNames(options.url);
  const base = joinKeys(typeof options.base === 'string' ? options.base : '') || defaults.base;
  const self: ServerName = {
    storage: `service-server:${encodeURIComponent(base)}`,
    process: isReader ? reader : randomUUID(),
  };
  const connectionName = `${self.storage}:${self.process}`;
  const driver = await importDriver('redis', { ...defaults, ...options, ...required, base, connectionName });
  const redis = driver.getInstance?.() as Redis;
  const name = nameOf(redis);
  const place = new RedisPlace(redis, joinKeys(base, 'place'), self, { beatMs, silentMs }, name);
  const writer = new RedisWriter(redis, place);
  try {
    await connect(redis, name);
    const usable = withRawValues(driver, redis, writer, base);
    if (isReader) return openUnstorageDriver(name, '', usable, isReader);
    await place.take(patienceMs);
    writer.beat(beatMs);
    const opened = await openCheckedDriver(name, await promiseOf(redis, name), usable);
    return {
      ...opened,
      lost: writer.lost,
      async replaceLog(batches) {
        await place.assertAlone();
        await opened.replaceLog(batches);
      },
      async close() {
        writer.stop();
        await opened.close();
      },
    };
  } catch (error) {
    writer.stop();
    redis.disconnect();
    throw error instanceof UnusableStorageError ? error : storageUnusable(name, error);
  }
}

/** What stands in an address wins over what we ask for, and a connection that is not called as it should be protects nobody. */
function refuseOwnNames(url: unknown): void {
  const query = typeof url === 'string' && url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
  for (const name of new URLSearchParams(query).keys())
    if (Object.hasOwn(required, name) || ['connectionName', 'keyPrefix'].includes(name))
      throw new UnusableStorageError(`storage: ${name} can't stand in the address: the server has to set it itself`);
}

/** Without the password, which may stand in the address. */
function nameOf({ options: { host, port, db, path, tls } }: Redis): string {
  if (path) return `redis:${path}`;
  return `${tls ? 'rediss' : 'redis'}://${host?.includes(':') ? `[${host}]` : host}:${port}/${db ?? 0}`;
}

async function connect(redis: Redis, name: string): Promise<void> {
  let reason: unknown;
  // Later on it is the write that fails who tells. Without a listener ioredis would print every attempt to connect.
  redis.on('error', (error) => (reason = error));
  try {
    await redis.connect();
    // A number of a database that does not exist is no error to ioredis: it would go on in database 0.
    await redis.select(redis.options.db ?? 0);
  } catch (error) {
    throw storageUnusable(name, reason ?? error);
  }
}

/** What Redis is set to. Where it does not say (hosted ones often don't), neither do we. */
async function promiseOf(redis: Redis, name: string): Promise<string> {
  const settings = await readSettings(redis);
  const eviction = settings.get('maxmemory-policy') ?? 'noeviction';
  if (settings.get('maxmemory') !== '0' && eviction.startsWith('allkeys'))
    throw new UnusableStorageError(
      `${name} throws keys away when its memory is full (maxmemory-policy ${eviction}). Set it to noeviction.`,
    );
  const appendonly = settings.get('appendonly');
  if (appendonly === undefined) return 'what is answered survives what this Redis is set to survive (appendfsync)';
  if (appendonly !== 'yes') return 'what is answered survives as long as Redis runs: its appendonly is off';
  if (settings.get('appendfsync') === 'always')
    return 'what is answered survives a crash and a power loss: appendfsync always';
  return `what is answered survives a crash of this server; one of Redis, or a power loss, may take what came last: appendfsync ${settings.get('appendfsync')}`;
}

async function readSettings(redis: Redis): Promise<Map<string, string>> {
  const settings = new Map<string, string>();
  for (const pattern of ['append*', 'maxmemory*']) {
    // Not everybody may ask.
    const answer = await redis.config('GET', pattern).catch(() => []);
    const words = answer as string[];
    for (let index = 0; index + 1 < words.length; index += 2)
      settings.set(words[index] as string, words[index + 1] as string);
  }
  return settings;
}

/** Unstorage's driver knows text only, and would keep bytes as base64: a third more of what is dear there, memory. */
function withRawValues(driver: UnstorageDriver, redis: Redis, writer: RedisWriter, base: string): UnstorageDriver {
  return {
    ...driver,
    async getKeys(under, options) {
      const keys = await driver.getKeys(under, options);
      const newest = keys.filter(isOfLog).toSorted().at(-1);
      if (newest !== undefined) writer.noteNewestOfLog(joinKeys(base, newest));
      return keys;
    },
    getItemRaw: (key: string) => redis.getBuffer(joinKeys(base, key)),
    async setItemRaw(key: string, value: Buffer) {
      await writer.set(joinKeys(base, key), value);
      if (isOfLog(key)) writer.noteNewestOfLog(joinKeys(base, key));
    },
    removeItem: (key: string) => writer.remove(joinKeys(base, key)),
  };
}
