import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import {
  openExclusivePostgresDriver,
  openPostgresDriver,
  type PostgresOptions,
} from '../../src/storage/postgres/postgres.ts';
import { parsePostgresAddress } from '../../src/storage/postgres/postgres-address.ts';
import { socketPaths } from '../../src/commands/socket-paths.ts';
import { cleanUp, temporaryFolder } from '../test-utils/describe-service.ts';
import { readLog } from '../store/log/read-log.ts';
import { createDatabase, hasPostgres, queryPostgres, startPostgres, stopPostgresServers } from './postgres-server.ts';
import { addTeam, openSharingStore } from './sharing-store.ts';

const bytes = (text: string): Buffer => Buffer.from(text);

afterEach(cleanUp);
afterAll(stopPostgresServers);

describe('addresses', () => {
  test('a list of hosts gives one address per host, without the password in the name', () => {
    const { name, hosts } = parsePostgresAddress('postgres://me:se%20cret@one,two:6000/errors?sslmode=verify-full');
    expect(name).toBe('postgres://me@one:5432,two:6000/errors');
    expect(hosts).toEqual([
      { connectionString: 'postgres://me:se%20cret@one:5432/errors?sslmode=verify-full' },
      { connectionString: 'postgres://me:se%20cret@two:6000/errors?sslmode=verify-full' },
    ]);
  });

  test('an address with a password that is not encoded is rejected with what to do', () => {
    expect(() => parsePostgresAddress('postgres://me:a/b@c@host/x')).toThrow(/Percent-encode .* \?password_file=PATH/);
  });

  test('an sslmode that can not be kept is rejected', () => {
    expect(() => parsePostgresAddress('postgres://host/x?sslmode=prefer')).toThrow(/sslmode prefer .*require/);
    expect(() => parsePostgresAddress('postgres://host/x?sslmode=verify-ca')).toThrow(/verify-ca needs sslrootcert/);
  });

  test('a blank in the name of the database does not change the password', () => {
    const [host] = parsePostgresAddress('postgres://me:p%2Fq@host/my db').hosts;
    expect(host).toEqual({ connectionString: 'postgres://me:p%2Fq@host:5432/my%20db' });
  });

  test('an empty password file is named', async () => {
    const path = join(await temporaryFolder(), 'password');
    await writeFile(path, '\n');
    expect(() => parsePostgresAddress(`postgres://host/x?password_file=${path}`)).toThrow(`is empty: ${path}`);
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

  test('many batches are dropped, whatever a statement deletes, while an append goes on', async () => {
    const driver = await openPostgresDriver(await createDatabase());
    driver.log.mayAppend = () => true;
    await readLog(driver);
    for (let number = 1; number <= 200; number++) await driver.log.append(number, bytes('body'), [bytes('more')]);
    const rowBytes = driver.log.sizeBytes / 200;
    await Promise.all([driver.log.dropBefore(199), driver.log.append(201, bytes('body'), [bytes('more')])]);
    expect(driver.log.sizeBytes).toBe(3 * rowBytes);
    expect((await readLog(driver)).map(([number]) => number)).toEqual([199, 200, 201]);
    await driver.close();
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
  });

  test('a password is taken from the address or from a file, and missing or wrong ones are explained', async () => {
    const server = await startPostgres();
    const url = await server.createDatabase();
    const path = join(await temporaryFolder(), 'password');
    await writeFile(path, 'se cret@/%\n');
    await server.run("ALTER USER service PASSWORD 'se cret@/%'");
    await writeFile(join(server.folder, 'data', 'pg_hba.conf'), 'host all all 127.0.0.1/32 scram-sha-256\n');
    await server.run('SELECT pg_reload_conf()');
    await expect.poll(() => outcomeOf(url), { timeout: 60_000 }).toContain('a password is required: set PGPASSWORD');
    const withPassword = (password: string): string => url.replace('@', `:${encodeURIComponent(password)}@`);
    expect(await outcomeOf(withPassword('se cret@/%'))).toBe('opened');
    expect(await outcomeOf(`${url}?password_file=${path}`)).toBe('opened');
    expect(await outcomeOf(withPassword('wrong').replace('@', '@127.0.0.1:1,'))).toMatch(
      /\(127\.0\.0\.1:1: .*ECONNREFUSED.*; 127\.0\.0\.1:\d+: password authentication failed/,
    );
  });

  test('a user with too few rights, a read-only database and tables of another program are explained', async () => {
    const url = await createDatabase();
    const limited = url.replace('service@', 'limited@');
    await queryPostgres(url, 'CREATE ROLE limited LOGIN');
    expect(await outcomeOf(limited)).toContain('Grant the user CREATE on the database');
    await queryPostgres(url, 'CREATE SCHEMA service AUTHORIZATION limited');
    expect(await outcomeOf(limited)).toBe('opened');

    const readOnly = await createDatabase();
    const name = new URL(readOnly).pathname.slice(1);
    await queryPostgres(readOnly, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    expect(await outcomeOf(readOnly)).toContain('it is read-only');

    const foreign = await createDatabase();
    await queryPostgres(foreign, 'CREATE SCHEMA service; CREATE TABLE service.log (line text)');
    expect(await outcomeOf(foreign)).toMatch(/tables of another program .* Use another database/);
  });

  test('a database without a storage gets no tables if an existing storage is expected', async () => {
    const url = await createDatabase();
    expect(await outcomeOf(url, { isExisting: true })).toContain('There is no storage at postgres://');
    const { rows } = await queryPostgres(url, "SELECT to_regnamespace('service') AS schema");
    expect(rows).toEqual([{ schema: null }]);
    expect(await outcomeOf(url)).toBe('opened');
    expect(await outcomeOf(url, { isExisting: true })).toBe('opened');
  });
});

/** Opens a storage and closes it. Resolves with `opened`, or with the message of the error. */
async function outcomeOf(url: string, options: PostgresOptions = {}): Promise<string> {
  try {
    await (await openPostgresDriver(url, options)).close();
    return 'opened';
  } catch (error) {
    return (error as Error).message;
  }
}

test('all spellings of an address lead to the same control socket', async () => {
  const spellings = [
    'postgres://service:secret@db,other:5433/errors',
    'postgresql://db:5432,OTHER:5433/errors?sslmode=require',
    'postgres://me@other:5433,db/errors',
  ];
  const [paths, ...others] = await Promise.all(spellings.map(socketPaths));
  for (const other of others) expect(other).toEqual(paths);
  expect(await socketPaths('postgres://db/errors')).not.toEqual(paths);
});
