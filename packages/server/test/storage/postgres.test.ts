import { afterAll, describe, expect, test } from 'vitest';
import { openExclusivePostgresDriver, openPostgresDriver } from '../../src/storage/postgres/postgres.ts';
import { parsePostgresAddress } from '../../src/storage/postgres/postgres-address.ts';
import { readLog } from '../store/log/read-log.ts';
import { createDatabase, hasPostgres, queryPostgres, startPostgres, stopPostgresServers } from './postgres-server.ts';
import { addTeam, openSharingStore } from './sharing-store.ts';

const bytes = (text: string): Buffer => Buffer.from(text);

afterAll(stopPostgresServers);

describe('addresses', () => {
  test('a list of hosts gives one address per host, without the password in the name', () => {
    const { name, hosts } = parsePostgresAddress('postgres://me:se%20cret@one,two:6000/errors?sslmode=verify-full');
    expect(name).toBe('postgres://me@one:5432,two:6000/errors');
    expect(hosts).toEqual([
      { connectionString: 'postgres://me@one:5432/errors?sslmode=verify-full', password: 'se cret' },
      { connectionString: 'postgres://me@two:6000/errors?sslmode=verify-full', password: 'se cret' },
    ]);
  });

  test.each(['postgres://', 'postgres://host', 'postgres://host/', 'postgres://a b/x', 'postgres://%zz@host/x'])(
    '%s is rejected',
    (url) => {
      expect(() => parsePostgresAddress(url)).toThrow('expected postgres://');
    },
  );

  test('a password file that is missing is named', () => {
    expect(() => parsePostgresAddress('postgres://host/x?password_file=/missing/password')).toThrow(
      /password_file can't be read .*\/missing\/password/,
    );
  });
});

describe.skipIf(!hasPostgres)('PostgreSQL', () => {
  test('of two logs that append the same number, one fails, and continues after reading', async () => {
    const url = await createDatabase();
    const [one, other] = [await openPostgresDriver(url), await openPostgresDriver(url)];
    for (const { log } of [one, other]) log.mayAppend = () => true;
    expect([await readLog(one), await readLog(other)]).toEqual([[], []]);
    const outcomes = await Promise.allSettled([one.log.append(1, bytes('a')), other.log.append(1, bytes('b'))]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const loser = outcomes[0].status === 'rejected' ? one : other;
    await expect(loser.log.append(1, bytes('c'))).rejects.toThrow('Another server has appended batch 1');
    const read: number[] = [];
    for await (const batch of loser.log.readNew()) read.push(batch.number);
    expect(read).toEqual([1]);
    await expect(loser.log.append(2, bytes('d'))).resolves.toBe(2);
    await one.close();
    await other.close();
  });

  test('stores that decide on one log never assign an id twice, and agree in the end', async () => {
    const url = await createDatabase();
    const stores = [await openSharingStore(url), await openSharingStore(url), await openSharingStore(url)];
    // Each name is added by all stores. Only one of them may succeed.
    const names = Array.from({ length: 60 }, (_, index) => `team ${index}`);
    const ids = await Promise.all(
      stores.map(async (store) => {
        const added: (number | null)[] = [];
        for (const name of names) added.push(await addTeam(store, name));
        return added;
      }),
    );
    const assigned = ids.flat().filter((id) => id !== null);
    expect(assigned).toHaveLength(names.length);
    expect(new Set(assigned).size).toBe(names.length);
    for (const store of stores) await store.followOthers();
    const [first, ...others] = stores.map(({ model }) => [...model.tables.teams.values()]);
    expect(first).toHaveLength(names.length);
    for (const other of others) expect(other).toEqual(first);
    for (const store of stores) await store.close();
  });

  test('an append whose connection is cut off is stored once', async () => {
    const url = await createDatabase();
    const driver = await openPostgresDriver(url);
    driver.log.mayAppend = () => true;
    await readLog(driver);
    for (let number = 1; number <= 20; number++) {
      const appended = driver.log.append(number, bytes(`batch ${number}`));
      // Cuts off all connections of the server, whatever they do at this moment.
      await queryPostgres(
        url,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = 'service-server' AND datname = current_database()`,
      );
      expect(await appended).toBe(number);
    }
    expect(await readLog(driver)).toEqual(Array.from({ length: 20 }, (_, index) => [index + 1, `batch ${index + 1}`]));
    await driver.close();
  });

  test('a log that has lost its newest batches takes no more, and says so', async () => {
    const url = await createDatabase();
    const driver = await openPostgresDriver(url);
    driver.log.mayAppend = () => true;
    await readLog(driver);
    for (let number = 1; number <= 5; number++) await driver.log.append(number, bytes(`batch ${number}`));
    await queryPostgres(url, 'DELETE FROM service.batch WHERE number > 3');
    await expect(driver.log.append(6, bytes('batch 6'))).rejects.toThrow('has lost its last writes');
    expect((await driver.lost).message).toContain('failover');
    await driver.close();
    const reopened = await openPostgresDriver(url);
    expect((await readLog(reopened)).map(([number]) => number)).toEqual([1, 2, 3]);
    await reopened.close();
  });

  test('a log that was replaced by another one takes no more', async () => {
    const url = await createDatabase();
    const driver = await openPostgresDriver(url);
    driver.log.mayAppend = () => true;
    await readLog(driver);
    await driver.log.append(1, bytes('batch 1'));
    const other = await openPostgresDriver(url);
    await other.replaceLog(async function* () {
      yield { bytes: bytes('restored'), bodies: [] };
    });
    expect(await readLog(other)).toEqual([[2, 'restored']]);
    await expect(driver.log.append(2, bytes('batch 2'))).rejects.toThrow('has appended batch 2');
    await expect(driver.log.readNew()[Symbol.asyncIterator]().next()).rejects.toThrow('has lost its last writes');
    await driver.close();
    await other.close();
  });

  test('a start waits for a storage that another server uses exclusively, and fails after a timeout', async () => {
    const url = await createDatabase();
    const first = await openExclusivePostgresDriver(url);
    await expect(openExclusivePostgresDriver(url, { timeoutMs: 500 })).rejects.toThrow('is used by another server');
    const second = openExclusivePostgresDriver(url);
    await first.close();
    await (await second).close();
  });

  test('a server that has given up the log no longer keeps one with a newer format from taking it', async () => {
    const url = await createDatabase();
    const [old, newer] = [await openPostgresDriver(url), await openPostgresDriver(url)];
    await old.lease.start();
    expect(await old.lease.take()).toBe(true);
    await newer.lease.start();
    await queryPostgres(
      url,
      `UPDATE service.server SET entry_version = entry_version - 1 WHERE id = '${old.lease.self.id}'`,
    );
    await queryPostgres(url, 'UPDATE service.log SET holder = NULL');
    await newer.lease.check();
    expect(await newer.lease.take()).toBe(false);
    await old.lease.release();
    await old.lease.sendHeartbeat();
    await newer.lease.check();
    expect(await newer.lease.take()).toBe(true);
    // A server that only forwards is not stopped by a format that it can't read.
    await queryPostgres(url, 'UPDATE service.log SET entry_version = 99');
    await old.lease.check();
    expect(old.lease.tenure.holder?.id).toBe(newer.lease.self.id);
    await newer.close();
    await old.close();
  });

  test('data of a newer server is rejected, and nothing is changed', async () => {
    const url = await createDatabase();
    await (await openPostgresDriver(url)).close();
    await queryPostgres(url, 'UPDATE service.log SET entry_version = 99');
    await expect(openPostgresDriver(url)).rejects.toThrow('was written by a newer server (format 99');
    await queryPostgres(url, 'UPDATE service.log SET entry_version = 2; UPDATE service.schema SET version = 99');
    await expect(openPostgresDriver(url)).rejects.toThrow('has tables of another version (99');
  });

  test('a log with a damaged batch is not read', async () => {
    const url = await createDatabase();
    const driver = await openExclusivePostgresDriver(url);
    await readLog(driver);
    await driver.log.append(1, bytes('batch 1'));
    await driver.close();
    await queryPostgres(url, "UPDATE service.batch SET entries = 'batch 2'");
    const damaged = await openExclusivePostgresDriver(url);
    await expect(readLog(damaged)).rejects.toThrow('Batch 1 of postgres://');
    await damaged.close();
  });

  test('a server that cannot be reached is named, without its password', async () => {
    await expect(openPostgresDriver('postgres://me:secret@127.0.0.1:1/errors')).rejects.toThrow(
      /^The storage postgres:\/\/me@127\.0\.0\.1:1\/errors can't be used/,
    );
  });

  test('the primary is found among several hosts, also after it was killed', async () => {
    const server = await startPostgres();
    const url = (await server.createDatabase()).replace('@', '@127.0.0.1:1,');
    const driver = await openPostgresDriver(url);
    driver.log.mayAppend = () => true;
    await readLog(driver);
    expect(await driver.log.append(1, bytes('batch 1'))).toBe(1);
    expect(driver.durability).toContain('no synchronous standby');
    for (let number = 2; number <= 3; number++) {
      await server.kill();
      const appended = driver.log.append(number, bytes(`batch ${number}`));
      await server.start();
      expect(await appended).toBe(number);
    }
    expect((await readLog(driver)).map(([number]) => number)).toEqual([1, 2, 3]);
    await driver.close();
  }, 60_000);
});
