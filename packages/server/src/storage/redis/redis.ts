import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { joinKeys, type Driver as UnstorageDriver } from 'unstorage';
import { UnusableStorageError, storageUnusable } from '../../store/log/storage-errors.ts';
import type { RestorableDriver } from '../../store/log/storage-driver.ts';
import { importDriver, type DriverOptions } from '../unstorage/import-driver.ts';
import { isLogKey } from '../unstorage/item-log.ts';
import { readerProcess, RedisLock, type ConnectionNames } from './redis-lock.ts';
import { RedisWriter } from './redis-writer.ts';
import { openCheckedDriver, openUnstorageDriver } from '../unstorage/unstorage.ts';

const defaults = {
  /** The prefix of all keys, because the database may contain other data. */
  base: 'service',
  /** The default of Redis, 10, would cost a round trip for every ten keys of the whole database. */
  scanCount: 1_000,
  connectTimeout: 5_000,
  commandTimeout: 5_000,
};

/** Makes commands fail immediately while Redis is unreachable: ioredis must not queue or resend writes. */
const required = {
  lazyConnect: true,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
};

/**
 * Opens a storage in Redis or Valkey with the client of unstorage's driver. It is as durable as its `appendfsync`. With
 * `isReader`, nothing is written, because a server may be writing. While another server holds the lock, waits until it
 * has stopped or was silent for `maxSilenceMs`. Rejects with an `UnusableStorageError` if that takes longer than
 * `lockTimeoutMs`, or if Redis can't be reached or used.
 */
export async function openRedisDriver(
  options: DriverOptions,
  { isReader = false, lockTimeoutMs = 20_000, heartbeatMs = 2_500, maxSilenceMs = 15_000 } = {},
): Promise<RestorableDriver> {
  for (const name of ['cluster', 'ttl', 'keyPrefix'])
    if (options[name] !== undefined)
      throw new UnusableStorageError(`storage: options.${name}: can't be used, because the log must stay complete`);
  assertNoReservedParameters(options.url);
  const base = joinKeys(typeof options.base === 'string' ? options.base : '') || defaults.base;
  const self: ConnectionNames = {
    storage: `service-server:${encodeURIComponent(base)}`,
    process: isReader ? readerProcess : randomUUID(),
  };
  const connectionName = `${self.storage}:${self.process}`;
  const driver = await importDriver('redis', { ...defaults, ...options, ...required, base, connectionName });
  const redis = driver.getInstance?.() as Redis;
  const name = addressOf(redis);
  const heartbeat = { intervalMs: heartbeatMs, maxSilenceMs };
  const lock = new RedisLock(redis, joinKeys(base, 'lock'), self, heartbeat, name);
  const writer = new RedisWriter(redis, lock);
  try {
    await connect(redis, name);
    const usable = withRawValues(driver, redis, writer, base);
    if (isReader) return openUnstorageDriver(name, '', usable, isReader);
    await lock.acquire(lockTimeoutMs);
    writer.startHeartbeat(heartbeatMs);
    const settings = await readSettings(redis);
    assertNoEviction(settings, name);
    const opened = await openCheckedDriver(name, durabilityOf(settings), usable);
    return {
      ...opened,
      lost: writer.lost,
      async replaceLog(batches) {
        await lock.assertNoOtherServer();
        await opened.replaceLog(batches);
      },
      async close() {
        writer.stopHeartbeat();
        await opened.close();
      },
    };
  } catch (error) {
    writer.stopHeartbeat();
    redis.disconnect();
    throw error instanceof UnusableStorageError ? error : storageUnusable(name, error);
  }
}

/**
 * Throws if the address sets a reserved option. ioredis would prefer it to ours, and a lock with other names is
 * useless.
 */
function assertNoReservedParameters(url: unknown): void {
  const query = typeof url === 'string' && url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
  for (const name of new URLSearchParams(query).keys())
    if (Object.hasOwn(required, name) || ['connectionName', 'keyPrefix'].includes(name))
      throw new UnusableStorageError(`storage: ${name} can't be set in the address, because the server sets it`);
}

/** Returns the address without its password. */
function addressOf({ options: { host, port, db, path, tls } }: Redis): string {
  if (path) return `redis:${path}`;
  return `${tls ? 'rediss' : 'redis'}://${host?.includes(':') ? `[${host}]` : host}:${port}/${db ?? 0}`;
}

async function connect(redis: Redis, name: string): Promise<void> {
  let reason: unknown;
  // Later errors are reported by the writes that fail. Without a listener, ioredis would print each failed attempt.
  redis.on('error', (error) => (reason = error));
  try {
    await redis.connect();
    // ioredis ignores the number of a database that does not exist and uses database 0.
    await redis.select(redis.options.db ?? 0);
  } catch (error) {
    throw storageUnusable(name, reason ?? error);
  }
}

/** Reads the settings of Redis. Hosted services often don't return them. */
async function readSettings(redis: Redis): Promise<Map<string, string>> {
  const settings = new Map<string, string>();
  for (const pattern of ['append*', 'maxmemory*']) {
    // The user may lack the permission to read settings.
    const reply = await redis.config('GET', pattern).catch(() => []);
    const words = reply as string[];
    for (let index = 0; index + 1 < words.length; index += 2)
      settings.set(words[index] as string, words[index + 1] as string);
  }
  return settings;
}

/** Throws if Redis removes keys when its memory is full: the log must stay complete. */
function assertNoEviction(settings: ReadonlyMap<string, string>, name: string): void {
  const eviction = settings.get('maxmemory-policy') ?? 'noeviction';
  if (settings.get('maxmemory') !== '0' && eviction.startsWith('allkeys'))
    throw new UnusableStorageError(
      `${name} evicts keys when its memory is full (maxmemory-policy ${eviction}). Set it to noeviction.`,
    );
}

/** Describes what an acknowledged report survives. */
function durabilityOf(settings: ReadonlyMap<string, string>): string {
  const appendonly = settings.get('appendonly');
  if (appendonly === undefined)
    return 'an acknowledged report survives what this Redis is configured to survive (appendfsync)';
  if (appendonly !== 'yes') return 'an acknowledged report survives as long as Redis runs: its appendonly is off';
  if (settings.get('appendfsync') === 'always')
    return 'an acknowledged report survives a crash and a power loss: appendfsync always';
  return `an acknowledged report survives a crash of this server; a crash of Redis or a power loss can lose the last ones: appendfsync ${settings.get('appendfsync')}`;
}

/**
 * Adds raw values: unstorage's driver only has texts and would store bytes as base64, which takes a third more memory.
 */
function withRawValues(driver: UnstorageDriver, redis: Redis, writer: RedisWriter, base: string): UnstorageDriver {
  return {
    ...driver,
    async getKeys(under, options) {
      const keys = await driver.getKeys(under, options);
      const newest = keys.filter(isLogKey).toSorted().at(-1);
      if (newest !== undefined) writer.setNewestLogKey(joinKeys(base, newest));
      return keys;
    },
    async getItemRaw(key: string) {
      const item = await redis.getBuffer(joinKeys(base, key));
      if (item && isLogKey(key)) writer.onItemRead(joinKeys(base, key), item);
      return item;
    },
    setItemRaw: (key: string, value: Buffer) =>
      isLogKey(key) ? writer.append(joinKeys(base, key), value) : writer.set(joinKeys(base, key), value),
    removeItem: (key: string) => writer.remove(joinKeys(base, key)),
  };
}
