import { Redis } from 'ioredis';
import { createServer } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createService } from '../../src/index.ts';
import { openBuiltInDriver } from '../../src/storage/built-in-drivers.ts';
import { RedisLock } from '../../src/storage/redis/redis-lock.ts';
import { RedisWriter } from '../../src/storage/redis/redis-writer.ts';
import { openRedisDriver } from '../../src/storage/redis/redis.ts';
import type { StorageDriver } from '../../src/store/log/storage-driver.ts';
import { killPrograms, startServer } from '../commands/program.ts';
import { cleanUp } from '../test-utils/describe-service.ts';
import { readLog } from '../store/log/read-log.ts';
import { freePort } from '../../../../test/test-utils/free-port.ts';
import { hasRedis, startRedis, stopRedisServers } from './redis-server.ts';
import { slowNetwork } from './slow-network.ts';

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  killPrograms();
  await stopRedisServers();
  await cleanUp();
});

const bytes = (text: string): Buffer => Buffer.from(text);

/** Errors of ioredis for a missing or closed connection. */
const connectionError = /isn't writeable|closed|max retries|ECONNRESET|EPIPE/i;

/** Retries an append until Redis accepts it. */
async function appendWithRetry({ log }: StorageDriver, number: number, text: string): Promise<void> {
  await expect.poll(() => log.append(number, bytes(text)).catch(() => 0)).toBe(number);
}

interface ReportAnswer {
  status: number;
  code?: string;
  error_group_id?: number;
  is_new_group?: boolean;
}

/** Starts a server on a storage, with the project of an API key or a new project. */
async function startService(storage: string, key?: string) {
  const adminToken = 'a-token-of-the-owner';
  const service = await createService({ storage, adminToken, adminPassword: 'a password', logLevel: 'silent' });
  closers.push(() => service.close());
  const post = async (path: string, body: object) => {
    const response = await service.fetch(
      new Request(`http://127.0.0.1:4400/api/v1/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    );
    return { ...((await response.json()) as object), status: response.status };
  };
  const api_key = key ?? ((await post('projects', { name: 'Shop' })) as { api_key?: string }).api_key ?? '';
  return {
    key: api_key,
    report: (): Promise<ReportAnswer> => post('errors', { project_api_key: api_key, message: 'It broke' }),
    close: () => service.close(),
  };
}

describe.runIf(hasRedis)('Redis', () => {
  test('the Redis driver neither reads nor changes other data of its database', async () => {
    const { url } = await startRedis();
    const redis = new Redis(url);
    await redis.set('log:0000000000000009', 'theirs');
    await redis.set('servicelog', 'theirs');
    const driver = await openBuiltInDriver('redis', { url });
    await driver.log.append(1, bytes('ours'));
    await driver.blobs.put('map', bytes('{}'));
    expect(await readLog(driver)).toEqual([[1, 'ours']]);
    expect(await driver.blobs.names()).toEqual(['map']);
    await driver.close();
    expect((await redis.keys('*')).toSorted()).toEqual([
      'log:0000000000000009',
      'service:blob:map',
      'service:lock',
      'service:log:0000000000000001',
      'servicelog',
    ]);
    redis.disconnect();
  });

  test('servers with different prefixes or databases share one Redis', async () => {
    const { url } = await startRedis();
    const open = [{ url }, { url, base: 'another' }, { url: `${url}/3` }];
    const drivers = await Promise.all(open.map((options) => openBuiltInDriver('redis', options)));
    for (const [index, driver] of drivers.entries()) await driver.log.append(1, bytes(`server ${index}`));
    for (const [index, driver] of drivers.entries()) {
      expect(await readLog(driver)).toEqual([[1, `server ${index}`]]);
      await driver.close();
    }
  });

  test('a second server on one Redis waits until the first one has stopped', async () => {
    const { url } = await startRedis();
    const first = await openBuiltInDriver('redis', { url });
    let isOpen = false;
    const opening = openBuiltInDriver('redis', { url }).finally(() => (isOpen = true));
    const operator = new Redis(url);
    const servers = async (): Promise<number> =>
      String(await operator.client('LIST')).split('service-server:').length - 1;
    await expect.poll(servers).toBe(2);
    await first.log.append(1, bytes('one'));
    expect(isOpen).toBe(false);
    await first.close();
    const second = await opening;
    expect(await readLog(second)).toEqual([[1, 'one']]);
    await second.close();
    operator.disconnect();
  });

  test('a second server on one Redis is rejected after its lock timeout', async () => {
    const { url } = await startRedis();
    const first = await openBuiltInDriver('redis', { url });
    await expect(openRedisDriver({ url }, { lockTimeoutMs: 0 })).rejects.toThrow(/\/0 is used by another server\. /);
    await first.close();
  });

  test('a disconnected server writes nothing after another server acquired the lock', async () => {
    const { url, port } = await startRedis();
    const network = await slowNetwork(port);
    const first = await openBuiltInDriver('redis', { url: `redis://127.0.0.1:${network.port}` });
    await first.log.append(1, bytes('one'));
    network.cut();
    const second = await openBuiltInDriver('redis', { url });
    await readLog(second);
    await second.log.append(2, bytes('of the second'));
    network.mend();
    const failedAppend = async (): Promise<string> => first.log.append(2, bytes('of the first')).then(String, String);
    await expect.poll(failedAppend).toContain('is used by another server');
    await second.close();
    expect(await failedAppend()).toContain('is used by another server');
    expect(Buffer.from(await first.log.readAt(2, 0, 13)).toString()).toBe('of the second');
    await first.close();
    network.close();
  });

  test('a server that was silent for too long loses the lock and writes nothing when it returns', async () => {
    const { url } = await startRedis();
    // Like a lost host or a paused process: the connection stays open and is silent.
    const first = await openRedisDriver({ url }, { heartbeatMs: 3_600_000 });
    await first.log.append(1, bytes('one'));
    const second = await openRedisDriver({ url }, { maxSilenceMs: 0 });
    expect(await readLog(second)).toEqual([[1, 'one']]);
    await second.log.append(2, bytes('of the second'));
    // After this, the first server has a new connection without a failed command.
    await expect.poll(() => first.blobs.names().catch(String)).toEqual([]);
    const lockedMessage = 'is used by another server';
    await expect(first.log.append(2, bytes('of the first'))).rejects.toThrow(lockedMessage);
    await expect(first.log.dropBefore(2)).rejects.toThrow(lockedMessage);
    expect(String(await first.lost)).toContain(lockedMessage);
    await second.close();
    await expect(first.log.append(2, bytes('of the first'))).rejects.toThrow(lockedMessage);
    const third = await openRedisDriver({ url }, { lockTimeoutMs: 0 });
    expect(await readLog(third)).toEqual([
      [1, 'one'],
      [2, 'of the second'],
    ]);
    await first.close();
    await third.close();
  });

  test('a write is not acknowledged if the lock is lost before its response', async () => {
    const { url } = await startRedis();
    const redis = new Redis(url);
    const self = { storage: 'service-server:service', process: 'first' };
    const writer = new RedisWriter(
      redis,
      new RedisLock(redis, 'lock', self, { intervalMs: 20, maxSilenceMs: 15_000 }, url),
    );
    await writer.set('one', bytes('1'));
    // Redis has stored the value, but its response arrives after the heartbeat has found another holder of the lock.
    const set = redis.set.bind(redis) as (key: string, value: Buffer) => Promise<'OK'>;
    redis.set = (async (key: string, value: Buffer) => {
      const response = await set(key, value);
      await set('lock', bytes('second'));
      await writer.lost;
      return response;
    }) as typeof redis.set;
    writer.startHeartbeat(20);
    await expect(writer.set('two', bytes('2'))).rejects.toThrow('is used by another server');
    writer.stopHeartbeat();
    redis.disconnect();
  });

  test('an idle server keeps sending a heartbeat to Redis', async () => {
    const { url } = await startRedis();
    const driver = await openRedisDriver({ url }, { heartbeatMs: 20 });
    const operator = new Redis(url);
    const countGets = async (): Promise<number> =>
      Number(/cmdstat_get:calls=(\d+)/.exec(await operator.info('commandstats'))?.[1]);
    const before = await countGets();
    await expect.poll(countGets).toBeGreaterThan(before + 2);
    await driver.close();
    operator.disconnect();
  });

  test('a server that only waits for the lock does not stop its holder', async () => {
    const { url } = await startRedis();
    const driver = await openBuiltInDriver('redis', { url });
    await driver.log.append(1, bytes('one'));
    // The ids of connections increase: this connection is older than the next one of the server.
    const waiting = new Redis(url, { connectionName: 'service-server:service:another' });
    await waiting.client('KILL', 'ID', Number(/^id=(\d+)/.exec(String(await waiting.client('LIST')))?.[1]));
    await appendWithRetry(driver, 2, 'two');
    expect(await readLog(driver)).toHaveLength(2);
    await driver.close();
    waiting.disconnect();
  });

  test('without CLIENT commands, a server detects that a later one holds the lock', async () => {
    const { url } = await startRedis('--rename-command', 'CLIENT', '');
    const first = await openRedisDriver({ url }, { heartbeatMs: 20 });
    await first.log.append(1, bytes('one'));
    const second = await openRedisDriver({ url }, { heartbeatMs: 20 });
    await second.log.append(2, bytes('of the second'));
    expect(String(await first.lost)).toContain('is used by another server');
    await expect(first.log.append(2, bytes('of the first'))).rejects.toThrow('is used by another server');
    await first.close();
    await second.close();
  });

  test('without connection names, a live holder of the lock gets time to detect a second server', async () => {
    const { url, port } = await startRedis();
    const operator = new Redis(url);
    await operator.call('ACL', 'SETUSER', 'nameless', 'on', '>secret', '~*', '&*', '+@all', '-client|setname');
    const nameless = { url: `redis://nameless:secret@127.0.0.1:${port}` };
    const first = await openRedisDriver(nameless, { heartbeatMs: 50 });
    const opening = openRedisDriver(nameless, { heartbeatMs: 1_000 });
    // The second server reads the log only after the first has had time to detect it.
    expect(await Promise.race([opening.then(() => 'opened'), first.lost?.then(() => 'detected')])).toBe('detected');
    await first.close();
    await (await opening).close();
    operator.disconnect();
  });

  test.each(['connectionName=mine', 'keyPrefix=x', 'db=1&enableOfflineQueue=true', 'maxRetriesPerRequest=9'])(
    'a Redis address with ?%s is rejected, because it would override options of the server',
    async (query) => {
      const url = `redis://user:secret@127.0.0.1:1?${query}`;
      await expect(openBuiltInDriver('redis', { url })).rejects.toThrow(
        /^storage: \w+ can't be set in the address, because the server sets it$/,
      );
    },
  );

  test('a connection of another client that reuses an id after a restart of Redis is not closed', async () => {
    const redis = await startRedis();
    // Redis uses the first ids itself while it reads its file.
    const early = Array.from({ length: 20 }, () => new Redis(redis.url));
    for (const other of early) await other.ping();
    for (const other of early) other.disconnect();
    const network = await slowNetwork(redis.port);
    const driver = await openBuiltInDriver('redis', { url: `redis://127.0.0.1:${network.port}` });
    await driver.log.append(1, bytes('one'));
    const operator = new Redis(redis.url);
    const list = String(await operator.client('LIST'));
    const reusedId = Number(/^id=(\d+).* name=service-server:/m.exec(list)?.[1]);
    operator.disconnect();
    network.cut();
    await redis.kill();
    await redis.start();
    const others: Redis[] = [];
    const ids = () => Promise.all(others.map((other) => other.client('ID')));
    for (let count = 0; count < reusedId; count++) others.push(new Redis(redis.url));
    const before = await ids();
    expect(before).toContain(reusedId);
    network.mend();
    await appendWithRetry(driver, 2, 'two');
    expect(await ids()).toEqual(before);
    for (const other of others) other.disconnect();
    await driver.close();
    network.close();
  });

  test('the program exits with 1 after it lost the lock, so that its supervisor restarts it', async () => {
    const { url } = await startRedis();
    const program = await startServer(['--storage', url]);
    const second = await openRedisDriver({ url }, { maxSilenceMs: 0 });
    expect(await program.exited).toBe(1);
    expect(program.output()).toMatch(/^service-server: redis:\S+ is used by another server\. /m);
    await second.close();
  });

  test('the Redis driver stores raw bytes and closes its connection', async () => {
    const { url } = await startRedis();
    const redis = new Redis(url);
    const driver = await openBuiltInDriver('redis', { url });
    await driver.blobs.put('map', Buffer.alloc(1_000));
    expect(await redis.strlen('service:blob:map')).toBe(1_000);
    const connections = async () =>
      String(await redis.client('LIST'))
        .trim()
        .split('\n').length;
    expect(await connections()).toBe(2);
    await driver.close();
    await expect.poll(connections).toBe(1);
    redis.disconnect();
  });

  test('after Redis is killed, writes fail immediately, and after its restart they succeed', async () => {
    const redis = await startRedis();
    const driver = await openBuiltInDriver('redis', { url: redis.url });
    await driver.log.append(1, bytes('one'));
    await redis.kill();
    // The clock is stopped, so a command that waits for the connection or a timeout is never rejected.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    try {
      for (let attempt = 0; attempt < 3; attempt++) {
        await expect(driver.log.append(2, bytes('lost'))).rejects.toThrow(connectionError);
        await expect(driver.log.readAt(1, 0, 3)).rejects.toThrow(connectionError);
      }
    } finally {
      vi.runOnlyPendingTimers();
      vi.useRealTimers();
    }
    await redis.start();
    await appendWithRetry(driver, 2, 'two');
    expect(Buffer.from(await driver.log.readAt(1, 0, 3)).toString()).toBe('one');
    await driver.close();
    const again = await openBuiltInDriver('redis', { url: redis.url });
    expect(await readLog(again)).toEqual([
      [1, 'one'],
      [2, 'two'],
    ]);
    await again.close();
  });

  test('a Redis write that timed out never overwrites the write that replaced it', async () => {
    const redis = await startRedis();
    const driver = await openBuiltInDriver('redis', { url: redis.url, commandTimeout: 1_000, disconnectTimeout: 100 });
    await appendWithRetry(driver, 1, 'one');
    redis.signal('SIGSTOP');
    // The command is in the socket of Redis, which reads it after SIGCONT.
    await expect(driver.log.append(2, bytes('of unknown outcome'))).rejects.toThrow('timed out');
    await expect(driver.log.append(2, bytes('never sent'))).rejects.toThrow(connectionError);
    redis.signal('SIGCONT');
    await appendWithRetry(driver, 2, 'settled');
    // Leave time for a late write. It only makes a defect more likely to show; the next test needs no clock.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await readLog(driver))[1]).toEqual([2, 'settled']);
    await driver.close();
  });

  test('a Redis write that the network delays past its connection never overwrites a later write', async () => {
    const { port } = await startRedis();
    const network = await slowNetwork(port);
    const url = `redis://127.0.0.1:${network.port}`;
    const driver = await openBuiltInDriver('redis', { url, commandTimeout: 1_000, disconnectTimeout: 100 });
    await appendWithRetry(driver, 1, 'one');
    network.hold();
    await expect(driver.log.append(2, bytes('of unknown outcome'))).rejects.toThrow('timed out');
    await appendWithRetry(driver, 2, 'settled');
    await network.release();
    expect((await readLog(driver))[1]).toEqual([2, 'settled']);
    await driver.close();
    network.close();
  });

  test('a Redis that lost its last writes stops the server, and the next start reads the shorter log', async () => {
    const redis = await startRedis('--appendonly', 'no');
    const driver = await openBuiltInDriver('redis', { url: redis.url });
    const operator = new Redis(redis.url);
    await driver.log.append(1, bytes('one'));
    await operator.save();
    await driver.log.append(2, bytes('two'));
    await driver.log.append(3, bytes('three'));
    operator.disconnect();
    await redis.kill();
    await redis.start();
    const failedAppend = async (): Promise<string> => driver.log.append(4, bytes('four')).then(String, String);
    await expect.poll(failedAppend).toContain('has lost its last writes');
    expect(String(await driver.lost)).toContain('has lost its last writes');
    await driver.close();
    const again = await openBuiltInDriver('redis', { url: redis.url });
    expect(await readLog(again)).toEqual([[1, 'one']]);
    await again.log.append(2, bytes('another two'));
    await again.close();
  });

  test.each([
    ['the newest item of the log, written before the start', ['service:log:0000000000000002']],
    ['all items and the lock', ['service:log:0000000000000002', 'service:log:0000000000000001', 'service:lock']],
  ])('an idle server with an open connection detects that Redis has lost %s', async (_, keys) => {
    const { url } = await startRedis();
    const before = await openBuiltInDriver('redis', { url });
    for (const number of [1, 2]) await before.log.append(number, bytes('stored'));
    await before.close();
    const driver = await openRedisDriver({ url }, { heartbeatMs: 20 });
    expect(await readLog(driver)).toHaveLength(2);
    const operator = new Redis(url);
    await operator.unlink(...keys);
    expect(String(await driver.lost)).toContain('has lost its last writes');
    await expect(driver.log.append(3, bytes('three'))).rejects.toThrow('has lost its last writes');
    expect(await operator.exists('service:log:0000000000000003')).toBe(0);
    operator.disconnect();
    await driver.close();
  });

  test('a batch is not stored after a predecessor that Redis has lost or replaced, whenever that is noticed', async () => {
    const { url } = await startRedis();
    const client = new Redis(url);
    const second = 'service:log:0000000000000002';
    for (const change of [() => client.del(second), () => client.set(second, 'another batch')]) {
      await client.flushall();
      // No periodic check can notice the change first.
      const driver = await openRedisDriver({ url }, { heartbeatMs: 600_000 });
      await readLog(driver);
      for (const number of [1, 2]) await driver.log.append(number, Buffer.from(`batch ${number}`));
      await change();
      await expect(driver.log.append(3, Buffer.from('batch 3'))).rejects.toThrow('has lost its last writes');
      expect(String(await driver.lost)).toContain('has lost its last writes');
      expect(await client.exists('service:log:0000000000000003')).toBe(0);
      await driver.close();
    }
    client.disconnect();
  });

  test('a server reports no loss for items that it removed, or for a lock key that only Redis lost', async () => {
    const { url } = await startRedis();
    const driver = await openRedisDriver({ url }, { heartbeatMs: 20 });
    const operator = new Redis(url);
    await driver.log.append(1, bytes('one'));
    await driver.log.append(2, bytes('two'));
    await driver.blobs.put('map', bytes('{}'));
    await driver.blobs.remove('map');
    await driver.log.dropBefore(2);
    await operator.unlink('service:lock');
    await expect.poll(() => operator.exists('service:lock')).toBe(1);
    await driver.log.append(3, bytes('three'));
    expect(await readLog(driver)).toHaveLength(2);
    operator.disconnect();
    await driver.close();
  });

  test.each([
    [['--appendfsync', 'always'], 'an acknowledged report survives a crash and a power loss: appendfsync always'],
    [
      ['--appendfsync', 'everysec'],
      /survives a crash of this server; a crash of Redis or a power loss can lose the last ones: appendfsync everysec/,
    ],
    [['--appendonly', 'no'], /as long as Redis runs: its appendonly is off/],
    [['--rename-command', 'CONFIG', ''], /what this Redis is configured to survive/],
    [['--maxmemory', '100mb', '--maxmemory-policy', 'volatile-lru'], /survives/],
  ])('a Redis with %j states its real durability', async (settings, durability) => {
    const { url, port } = await startRedis(...settings);
    const driver = await openBuiltInDriver('redis', { url });
    expect(driver.durability).toMatch(durability);
    expect(driver.name).toBe(`redis://127.0.0.1:${port}/0`);
    await driver.close();
  });

  test('the Redis driver rejects a Redis that evicts keys, an unknown database and a wrong password', async () => {
    const { url, port } = await startRedis('--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru');
    await expect(openBuiltInDriver('redis', { url })).rejects.toThrow(/allkeys-lru\). Set it to noeviction\.$/);
    await expect(openBuiltInDriver('redis', { url: `${url}/99` })).rejects.toThrow('DB index is out of range');
    const locked = await startRedis('--requirepass', 'secret');
    await expect(openBuiltInDriver('redis', { url: locked.url })).rejects.toThrow('NOAUTH');
    const wrong = openBuiltInDriver('redis', { url: locked.url.replace('//', '//:wrong-password@') });
    await expect(wrong).rejects.toThrow(/^The storage redis:\/\/127\.0\.0\.1:\d+\/0 can't be used \(WRONGPASS/);
    const right = await openBuiltInDriver('redis', { url: locked.url.replace('//', '//:secret@') });
    expect(right.name).not.toContain('secret');
    await right.close();
    expect(port).not.toBe(locked.port);
  });

  test('a server responds with 503 while Redis is unreachable and accepts reports after it returns', async () => {
    const redis = await startRedis();
    const { report } = await startService(redis.url);
    expect(await report()).toMatchObject({ status: 200, is_new_group: true });
    await redis.kill();
    expect(await report()).toMatchObject({ status: 503, code: 'storage_unavailable' });
    await redis.start();
    await expect.poll(report).toMatchObject({ status: 200, is_new_group: false });
  });

  test('a server on Redis finds its groups after a restart', async () => {
    const { url } = await startRedis();
    const first = await startService(url);
    const { error_group_id } = await first.report();
    await first.close();
    const { report } = await startService(url, first.key);
    expect(await report()).toMatchObject({ error_group_id, is_new_group: false });
  });
});

describe('an unreachable Redis', () => {
  test('the server does not start if Redis refuses the connection, and says so in one line', async () => {
    const port = await freePort();
    await expect(createService({ storage: `redis://user:secret@127.0.0.1:${port}/1` })).rejects.toThrow(
      `The storage redis://127.0.0.1:${port}/1 can't be used (connect ECONNREFUSED 127.0.0.1:${port}).`,
    );
    const unnamed = createService({ storage: `redis://localhost:${port}` });
    await expect(unnamed).rejects.toThrow(
      /^The storage redis:\/\/localhost:\d+\/0 can't be used \(.*ECONNREFUSED.*\)\.$/,
    );
  });

  test('the driver does not open if the port of Redis never responds', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as { port: number };
    const options = { url: `redis://127.0.0.1:${port}`, commandTimeout: 200, disconnectTimeout: 100 };
    await expect(openBuiltInDriver('redis', options)).rejects.toThrow(/can't be used \(.*timed out.*\)/);
    silent.close();
  });
});
