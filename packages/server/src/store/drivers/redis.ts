import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { joinKeys, type Driver as UnstorageDriver } from 'unstorage';
import { UnusableStorageError, type RestorableDriver } from '../driver.ts';
import { importDriver, type DriverOptions } from './import-driver.ts';
import { RedisWriter } from './redis-writer.ts';
import { openCheckedDriver, openUnstorageDriver } from './unstorage.ts';
import { unusable } from './unusable.ts';

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
 * end; then it rejects with an UnusableStorageError.
 */
export async function openRedisDriver(
  options: DriverOptions,
  { isReader = false, patienceMs = 10_000 } = {},
): Promise<RestorableDriver> {
  for (const name of ['cluster', 'ttl', 'keyPrefix'])
    if (options[name] !== undefined)
      throw new UnusableStorageError(`storage: options.${name}: can't be used, for the log has to stay in one piece`);
  const base = joinKeys(typeof options.base === 'string' ? options.base : '') || defaults.base;
  const self: Server = {
    storage: `service-server:${encodeURIComponent(base)}`,
    process: isReader ? 'reader' : randomUUID(),
  };
  const connectionName = `${self.storage}:${self.process}`;
  const driver = await importDriver('redis', { ...defaults, ...options, ...required, base, connectionName });
  const redis = driver.getInstance?.() as Redis;
  const name = nameOf(redis);
  try {
    await connect(redis, name);
    const writer = new RedisWriter(redis, () => assertFirst(redis, name, self));
    const usable = withRawValues(driver, redis, writer, base);
    if (isReader) return openUnstorageDriver(name, '', usable, isReader);
    await untilFirst(redis, name, self, patienceMs);
    const opened = await openCheckedDriver(name, await promiseOf(redis, name), usable);
    return {
      ...opened,
      async replaceLog(batches) {
        if ((await others(redis, self)).length > 0) throw usedByAnother(name, 'Stop all of them first.');
        await opened.replaceLog(batches);
      },
    };
  } catch (error) {
    redis.disconnect();
    throw error instanceof UnusableStorageError ? error : unusable(name, error);
  }
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
    throw unusable(name, reason ?? error);
  }
}

const lookMs = 500;

interface Server {
  /** What the connections of all servers of this storage are called. */
  storage: string;
  /** What those of this process are called besides: one that broke may be listed for a while. */
  process: string;
}

/**
 * There is no lock here: who else is connected has to do, and was there before. Two servers would write batches of the same
 * numbers, and each lose what the other has written. Where Redis does not say, the operator has to know.
 */
async function assertFirst(redis: Redis, name: string, self: Server): Promise<void> {
  const own = Number(await redis.client('ID'));
  // Connections are counted up. Of two that come at once, one was there before.
  if ((await others(redis, self)).some((id) => id < own))
    throw usedByAnother(name, 'One storage belongs to one server.');
}

async function untilFirst(redis: Redis, name: string, self: Server, patienceMs: number): Promise<void> {
  for (let left = patienceMs / lookMs; ; left--) {
    try {
      return await assertFirst(redis, name, self);
    } catch (error) {
      if (left <= 0 || !(error instanceof UnusableStorageError)) throw error;
    }
    await sleep(lookMs);
  }
}

/** Numbers of the connections of other servers of this storage. */
async function others(redis: Redis, { storage, process }: Server): Promise<number[]> {
  const clients = String(await redis.client('LIST').catch(() => '')).split('\n');
  return clients
    .map((line) => new Map(line.split(' ').map((field) => field.split(/=(.*)/s) as [string, string])))
    .filter((client) => client.get('db') === String(redis.options.db ?? 0))
    .filter((client) => {
      const connection = client.get('name') ?? '';
      const isOfStorage = connection === storage || connection.startsWith(`${storage}:`);
      return isOfStorage && connection !== `${storage}:${process}` && connection !== `${storage}:reader`;
    })
    .map((client) => Number(client.get('id')));
}

function usedByAnother(name: string, then: string): UnusableStorageError {
  return new UnusableStorageError(`${name} is used by another server. ${then}`);
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
  return `what is answered survives a crash; a power loss may take the last second: appendfsync ${settings.get('appendfsync')}`;
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
    getItemRaw: (key: string) => redis.getBuffer(joinKeys(base, key)),
    setItemRaw: (key: string, value: Buffer) => writer.set(joinKeys(base, key), value),
  };
}
