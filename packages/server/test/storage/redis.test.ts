import { Redis } from 'ioredis';
import { createServer } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createService } from '../../src/index.ts';
import { openBuiltInDriver } from '../../src/storage/built-in.ts';
import { RedisPlace } from '../../src/storage/redis/redis-lock.ts';
import { RedisWriter } from '../../src/storage/redis/redis-writer.ts';
import { openRedisDriver } from '../../src/storage/redis/redis.ts';
import type { Driver } from '../../src/store/log/driver.ts';
import { killPrograms, startServer } from '../commands/program.ts';
import { cleanUp } from '../test-utils/service.ts';
import { readLog } from '../store/read-log.ts';
import { freePort, hasRedis, startRedis, stopRedisServers } from './redis-server.ts';
import { slowNetwork } from './slow-network.ts';

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  killPrograms();
  await stopRedisServers();
  await cleanUp();
});

const bytes = (text: string): Buffer => Buffer.from(text);

/** What ioredis says of a connection that is not there, or not any more. */
const away = /isn't writeable|closed|max retries|ECONNRESET|EPIPE/i;

/** Appends until Redis takes it. */
async function appendInTime({ log }: Driver, number: number, text: string): Promise<void> {
  await expect.poll(() => log.append(number, bytes(text)).catch(() => 0), { timeout: 8_000 }).toBe(number);
}

interface ReportAnswer {
  status: number;
  code?: string;
  error_group_id?: number;
  is_new_group?: boolean;
}

/** A server on this storage with a project, of which `key` is the key. */
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
  test('other data of the same database is neither read nor touched', async () => {
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
      'service:log:0000000000000001',
      'service:place',
      'servicelog',
    ]);
    redis.disconnect();
  });

  test('two servers of different names share a Redis, and so do two databases', async () => {
    const { url } = await startRedis();
    const open = [{ url }, { url, base: 'another' }, { url: `${url}/3` }];
    const drivers = await Promise.all(open.map((options) => openBuiltInDriver('redis', options)));
    for (const [index, driver] of drivers.entries()) await driver.log.append(1, bytes(`server ${index}`));
    for (const [index, driver] of drivers.entries()) {
      expect(await readLog(driver)).toEqual([[1, `server ${index}`]]);
      await driver.close();
    }
  });

  test('a second server waits until the first one has ended', async () => {
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

  test('and is told that there is one, if that goes on', async () => {
    const { url } = await startRedis();
    const first = await openBuiltInDriver('redis', { url });
    await expect(openRedisDriver({ url }, { patienceMs: 0 })).rejects.toThrow(/\/0 is used by another server\. /);
    await first.close();
  });

  test('a server that was cut off writes nothing if another one has begun since', async () => {
    const { url, port } = await startRedis();
    const network = await slowNetwork(port);
    const first = await openBuiltInDriver('redis', { url: `redis://127.0.0.1:${network.port}` });
    await first.log.append(1, bytes('one'));
    network.cut();
    const second = await openBuiltInDriver('redis', { url });
    await readLog(second);
    await second.log.append(2, bytes('of the second'));
    network.mend();
    const refused = async (): Promise<string> => first.log.append(2, bytes('of the first')).then(String, String);
    await expect.poll(refused).toContain('is used by another server');
    await second.close();
    expect(await refused()).toContain('is used by another server');
    expect(Buffer.from(await first.log.readAt(2, 0, 13)).toString()).toBe('of the second');
    await first.close();
    network.close();
  });

  test('a server that is silent for long gives way, and writes nothing when it comes back', async () => {
    const { url } = await startRedis();
    // As on a host that was lost, or in a process that stands still: its connection stays, and nothing comes.
    const first = await openRedisDriver({ url }, { beatMs: 3_600_000 });
    await first.log.append(1, bytes('one'));
    const second = await openRedisDriver({ url }, { silentMs: 0 });
    expect(await readLog(second)).toEqual([[1, 'one']]);
    await second.log.append(2, bytes('of the second'));
    // By then it has a connection again, on which nothing failed.
    await expect.poll(() => first.blobs.names().catch(String)).toEqual([]);
    const refused = 'is used by another server';
    await expect(first.log.append(2, bytes('of the first'))).rejects.toThrow(refused);
    await expect(first.log.dropBefore(2)).rejects.toThrow(refused);
    expect(String(await first.lost)).toContain(refused);
    await second.close();
    await expect(first.log.append(2, bytes('of the first'))).rejects.toThrow(refused);
    const third = await openRedisDriver({ url }, { patienceMs: 0 });
    expect(await readLog(third)).toEqual([
      [1, 'one'],
      [2, 'of the second'],
    ]);
    await first.close();
    await third.close();
  });

  test('a write is not answered as kept if the place is found lost while it is under way', async () => {
    const { url } = await startRedis();
    const redis = new Redis(url);
    const self = { storage: 'service-server:service', process: 'first' };
    const writer = new RedisWriter(redis, new RedisPlace(redis, 'place', self, { beatMs: 20, silentMs: 15_000 }, url));
    await writer.set('one', bytes('1'));
    // Redis has done what it is told, and its answer comes when the beat has found another in the place.
    const set = redis.set.bind(redis) as (key: string, value: Buffer) => Promise<'OK'>;
    redis.set = (async (key: string, value: Buffer) => {
      const answer = await set(key, value);
      await set('place', bytes('second'));
      await writer.lost;
      return answer;
    }) as typeof redis.set;
    writer.beat(20);
    await expect(writer.set('two', bytes('2'))).rejects.toThrow('is used by another server');
    writer.stop();
    redis.disconnect();
  });

  test('a server that has nothing to write is not silent', async () => {
    const { url } = await startRedis();
    const driver = await openRedisDriver({ url }, { beatMs: 20 });
    const operator = new Redis(url);
    const asked = async (): Promise<number> =>
      Number(/cmdstat_get:calls=(\d+)/.exec(await operator.info('commandstats'))?.[1]);
    const before = await asked();
    await expect.poll(asked).toBeGreaterThan(before + 2);
    await driver.close();
    operator.disconnect();
  });

  test('a server that only waits for the place takes it from nobody', async () => {
    const { url } = await startRedis();
    const driver = await openBuiltInDriver('redis', { url });
    await driver.log.append(1, bytes('one'));
    // Redis numbers connections: this one was there before the next one of the server.
    const waiting = new Redis(url, { connectionName: 'service-server:service:another' });
    await waiting.client('KILL', 'ID', Number(/^id=(\d+)/.exec(String(await waiting.client('LIST')))?.[1]));
    await appendInTime(driver, 2, 'two');
    expect(await readLog(driver)).toHaveLength(2);
    await driver.close();
    waiting.disconnect();
  });

  test('where Redis tells nothing of who is connected, a server that is not the last one finds out', async () => {
    const { url } = await startRedis('--rename-command', 'CLIENT', '');
    const first = await openRedisDriver({ url }, { beatMs: 20 });
    await first.log.append(1, bytes('one'));
    const second = await openRedisDriver({ url }, { beatMs: 20 });
    await second.log.append(2, bytes('of the second'));
    expect(String(await first.lost)).toContain('is used by another server');
    await expect(first.log.append(2, bytes('of the first'))).rejects.toThrow('is used by another server');
    await first.close();
    await second.close();
  });

  test('where Redis lists connections without their names, a living server is not believed to be gone', async () => {
    const { url, port } = await startRedis();
    const operator = new Redis(url);
    await operator.call('ACL', 'SETUSER', 'nameless', 'on', '>secret', '~*', '&*', '+@all', '-client|setname');
    const nameless = { url: `redis://nameless:secret@127.0.0.1:${port}` };
    const first = await openRedisDriver(nameless, { beatMs: 50 });
    const opening = openRedisDriver(nameless, { beatMs: 1_000 });
    // The second one reads the log only after the first has had the time to find out.
    expect(await Promise.race([opening.then(() => 'opened'), first.lost?.then(() => 'found out')])).toBe('found out');
    await first.close();
    await (await opening).close();
    operator.disconnect();
  });

  test.each(['connectionName=mine', 'keyPrefix=x', 'db=1&enableOfflineQueue=true', 'maxRetriesPerRequest=9'])(
    'an address with ?%s is refused, for it would win over what keeps the log safe',
    async (query) => {
      const url = `redis://user:secret@127.0.0.1:1?${query}`;
      await expect(openBuiltInDriver('redis', { url })).rejects.toThrow(
        /^storage: \w+ can't stand in the address: the server has to set it itself$/,
      );
    },
  );

  test('a connection that got the number of ours after Redis began anew is left alone', async () => {
    const redis = await startRedis();
    // Redis itself takes the first numbers when it reads its file.
    const early = Array.from({ length: 20 }, () => new Redis(redis.url));
    for (const other of early) await other.ping();
    for (const other of early) other.disconnect();
    const network = await slowNetwork(redis.port);
    const driver = await openBuiltInDriver('redis', { url: `redis://127.0.0.1:${network.port}` });
    await driver.log.append(1, bytes('one'));
    const operator = new Redis(redis.url);
    const list = String(await operator.client('LIST'));
    const number = Number(/^id=(\d+).* name=service-server:/m.exec(list)?.[1]);
    operator.disconnect();
    network.cut();
    await redis.kill();
    await redis.start();
    const others: Redis[] = [];
    const numbers = () => Promise.all(others.map((other) => other.client('ID')));
    for (let count = 0; count < number; count++) others.push(new Redis(redis.url));
    const before = await numbers();
    expect(before).toContain(number);
    network.mend();
    await appendInTime(driver, 2, 'two');
    expect(await numbers()).toEqual(before);
    for (const other of others) other.disconnect();
    await driver.close();
    network.close();
  });

  test('the program ends as failed once another has its place, so that it is started again', async () => {
    const { url } = await startRedis();
    const program = await startServer(['--storage', url]);
    const second = await openRedisDriver({ url }, { silentMs: 0 });
    expect(await program.exited).toBe(1);
    expect(program.output()).toMatch(/^service-server: redis:\S+ is used by another server\. /m);
    await second.close();
  });

  test('bytes are kept as bytes, and the connection is closed with the driver', async () => {
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

  test('killed under way, it is refused at once, and used again when it is back', async () => {
    const redis = await startRedis();
    const driver = await openBuiltInDriver('redis', { url: redis.url });
    await driver.log.append(1, bytes('one'));
    await redis.kill();
    // With the clock stopped, a command that waits for the connection or a timeout would never be rejected.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    try {
      for (let attempt = 0; attempt < 3; attempt++) {
        await expect(driver.log.append(2, bytes('lost'))).rejects.toThrow(away);
        await expect(driver.log.readAt(1, 0, 3)).rejects.toThrow(away);
      }
    } finally {
      vi.runOnlyPendingTimers();
      vi.useRealTimers();
    }
    await redis.start();
    await appendInTime(driver, 2, 'two');
    expect(Buffer.from(await driver.log.readAt(1, 0, 3)).toString()).toBe('one');
    await driver.close();
    const again = await openBuiltInDriver('redis', { url: redis.url });
    expect(await readLog(again)).toEqual([
      [1, 'one'],
      [2, 'two'],
    ]);
    await again.close();
  });

  test('a write that timed out never lands on the one that took its place', async () => {
    const redis = await startRedis();
    const driver = await openBuiltInDriver('redis', { url: redis.url, commandTimeout: 200, disconnectTimeout: 100 });
    await driver.log.append(1, bytes('one'));
    redis.signal('SIGSTOP');
    // Redis has it in its socket, and will read it as soon as it can.
    await expect(driver.log.append(2, bytes('of unknown outcome'))).rejects.toThrow('timed out');
    await expect(driver.log.append(2, bytes('never sent'))).rejects.toThrow(away);
    redis.signal('SIGCONT');
    await appendInTime(driver, 2, 'settled');
    // Time for a late write to land, which only makes a defect more likely to be seen: the next test needs no clock.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await readLog(driver))[1]).toEqual([2, 'settled']);
    await driver.close();
  });

  test('not even if it is still under way in the network when its connection is given up', async () => {
    const { port } = await startRedis();
    const network = await slowNetwork(port);
    const url = `redis://127.0.0.1:${network.port}`;
    const driver = await openBuiltInDriver('redis', { url, commandTimeout: 200, disconnectTimeout: 100 });
    await driver.log.append(1, bytes('one'));
    network.hold();
    await expect(driver.log.append(2, bytes('of unknown outcome'))).rejects.toThrow('timed out');
    await appendInTime(driver, 2, 'settled');
    await network.release();
    expect((await readLog(driver))[1]).toEqual([2, 'settled']);
    await driver.close();
    network.close();
  });

  test('one that comes back without its last writes ends the server, and the shorter log is read by the next', async () => {
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
    const refused = async (): Promise<string> => driver.log.append(4, bytes('four')).then(String, String);
    await expect.poll(refused, { timeout: 8_000 }).toContain('has lost what was written to it last');
    expect(String(await driver.lost)).toContain('has lost what was written to it last');
    await driver.close();
    const again = await openBuiltInDriver('redis', { url: redis.url });
    expect(await readLog(again)).toEqual([[1, 'one']]);
    await again.log.append(2, bytes('another two'));
    await again.close();
  });

  test.each([
    ['the newest item of the log, which was there at start', ['service:log:0000000000000002']],
    [
      'everything, and the place as well',
      ['service:log:0000000000000002', 'service:log:0000000000000001', 'service:place'],
    ],
  ])('on a connection that goes on it finds out, with nothing to write, if Redis has lost %s', async (_, keys) => {
    const { url } = await startRedis();
    const before = await openBuiltInDriver('redis', { url });
    for (const number of [1, 2]) await before.log.append(number, bytes('stored'));
    await before.close();
    const driver = await openRedisDriver({ url }, { beatMs: 20 });
    expect(await readLog(driver)).toHaveLength(2);
    const operator = new Redis(url);
    await operator.unlink(...keys);
    expect(String(await driver.lost)).toContain('has lost what was written to it last');
    await expect(driver.log.append(3, bytes('three'))).rejects.toThrow('has lost what was written to it last');
    expect(await operator.exists('service:log:0000000000000003')).toBe(0);
    operator.disconnect();
    await driver.close();
  });

  test('what a server has removed itself is not lost, nor is the place as long as the log is there', async () => {
    const { url } = await startRedis();
    const driver = await openRedisDriver({ url }, { beatMs: 20 });
    const operator = new Redis(url);
    await driver.log.append(1, bytes('one'));
    await driver.log.append(2, bytes('two'));
    await driver.blobs.put('map', bytes('{}'));
    await driver.blobs.remove('map');
    await driver.log.dropBefore(2);
    await operator.unlink('service:place');
    await expect.poll(() => operator.exists('service:place')).toBe(1);
    await driver.log.append(3, bytes('three'));
    expect(await readLog(driver)).toHaveLength(2);
    operator.disconnect();
    await driver.close();
  });

  test.each([
    [['--appendfsync', 'always'], 'what is answered survives a crash and a power loss: appendfsync always'],
    [
      ['--appendfsync', 'everysec'],
      /survives a crash of this server; one of Redis, or a power loss, may take what came last: appendfsync everysec/,
    ],
    [['--appendonly', 'no'], /as long as Redis runs: its appendonly is off/],
    [['--rename-command', 'CONFIG', ''], /what this Redis is set to survive/],
    [['--maxmemory', '100mb', '--maxmemory-policy', 'volatile-lru'], /survives/],
  ])('with %j it promises what it can keep', async (settings, promise) => {
    const { url, port } = await startRedis(...settings);
    const driver = await openBuiltInDriver('redis', { url });
    expect(driver.promise).toMatch(promise);
    expect(driver.name).toBe(`redis://127.0.0.1:${port}/0`);
    await driver.close();
  });

  test('one that throws keys away, a database it has not, and a wrong password are refused', async () => {
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

  test('a server answers 503 while Redis is away, and takes reports again when it is back', async () => {
    const redis = await startRedis();
    const { report } = await startService(redis.url);
    expect(await report()).toMatchObject({ status: 200, is_new_group: true });
    await redis.kill();
    expect(await report()).toMatchObject({ status: 503, code: 'storage_unavailable' });
    await redis.start();
    await expect.poll(report, { timeout: 8_000 }).toMatchObject({ status: 200, is_new_group: false });
  });

  test('a server finds its groups there when it starts again', async () => {
    const { url } = await startRedis();
    const first = await startService(url);
    const { error_group_id } = await first.report();
    await first.close();
    const { report } = await startService(url, first.key);
    expect(await report()).toMatchObject({ error_group_id, is_new_group: false });
  });
});

describe('an address without Redis', () => {
  test('stops the start at once, in one line', async () => {
    const port = await freePort();
    await expect(createService({ storage: `redis://user:secret@127.0.0.1:${port}/1` })).rejects.toThrow(
      `The storage redis://127.0.0.1:${port}/1 can't be used (connect ECONNREFUSED 127.0.0.1:${port}).`,
    );
    const unnamed = createService({ storage: `redis://localhost:${port}` });
    await expect(unnamed).rejects.toThrow(
      /^The storage redis:\/\/localhost:\d+\/0 can't be used \(.*ECONNREFUSED.*\)\.$/,
    );
  });

  test('stops the start also where somebody listens who never answers', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as { port: number };
    const options = { url: `redis://127.0.0.1:${port}`, commandTimeout: 200, disconnectTimeout: 100 };
    await expect(openBuiltInDriver('redis', options)).rejects.toThrow(/can't be used \(.*timed out.*\)/);
    silent.close();
  });
});
