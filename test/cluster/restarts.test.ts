import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import {
  createDatabase,
  hasPostgres,
  startPostgres,
  stopPostgresServers,
  type PostgresServer,
} from '../../packages/server/test/storage/postgres-server.ts';
import { startLoad } from './load.ts';
import { readStream } from './read-stream.ts';
import { callAny, countReports, startCluster, type Cluster } from './test-cluster.ts';
import { isFull } from '../test-utils/depth.ts';

let cluster: Cluster | null = null;

afterEach(async () => {
  await cluster?.close();
  cluster = null;
});
afterAll(stopPostgresServers);

describe.skipIf(!hasPostgres || !isFull)('several servers', () => {
  test('a project that one server has created is read at once from the others', async () => {
    cluster = await startCluster(3, await createDatabase());
    for (let index = 0; index < 15; index++) {
      const [writer, reader] = [0, 1].map((step) => cluster!.members[(index + step) % 3]!.server);
      const { body } = await writer!.call('POST', 'projects', { name: `Shop ${index}` });
      const listed = (await reader!.call('GET', 'projects')).body as unknown as { id: number }[];
      expect(listed.map(({ id }) => id)).toContain(body.id);
    }
  });

  test('a live stream resumes at another server, without a gap and without a repeat', async () => {
    cluster = await startCluster(2, await createDatabase());
    const running = cluster;
    const { body: project } = await callAny(running, 'POST', 'projects', { name: 'Shop' });
    const [holder, other] = running.members as [Cluster['members'][0], Cluster['members'][0]];
    const words = ['basket', 'cart', 'door', 'engine', 'fence', 'garden'];
    const report = async (word: string): Promise<void> => {
      await callAny(running, 'POST', 'errors', {
        project_api_key: project.api_key,
        message: `The ${word} failed`,
        event_id: randomUUID(),
      });
    };
    // Read through the other server, which forwards the stream.
    const first = await readStream(other.server.url, null, async (events) => {
      for (const word of words.slice(0, 3)) await report(word);
      while (events().length < 3) await sleep(20);
    });
    await holder.kill();
    for (const word of words.slice(3)) await report(word);
    const second = await readStream(other.server.url, first.lastId, async (events) => {
      while (events().length < 3) await sleep(20);
    });
    expect([...first.created, ...second.created]).toEqual(words.map((word) => `The ${word} failed`));
  });
});

describe.skipIf(!hasPostgres || !isFull)('PostgreSQL', () => {
  test('is killed repeatedly: no report is lost or counted twice', async () => {
    const engine = await startPostgres();
    cluster = await startCluster(2, await engine.createDatabase());
    const { body: project } = await callAny(cluster, 'POST', 'projects', { name: 'Shop' });
    const load = startLoad(cluster, project.api_key);
    for (let round = 0; round < (isFull ? 20 : 2); round++) {
      await sleep(500);
      await engine.kill();
      await engine.start();
    }
    await sleep(500);
    const accepted = await load.stop();
    expect(accepted).toBeGreaterThan(0);
    expect(await countReports(cluster)).toBe(accepted);
  }, 300_000);

  test('a synchronous standby that is promoted has every report', async () => {
    for (let round = 0; round < Number(process.env.ROUNDS ?? (isFull ? 10 : 1)); round++) {
      const primary = await startPostgres();
      const database = await primary.createDatabase();
      const standby = await startPostgres(['hot_standby=on'], primary);
      // Not an argument of the start: nothing could be written before there is a standby.
      await primary.run("ALTER SYSTEM SET synchronous_standby_names = '*'");
      await waitForStandby(primary, 'sync');
      const { rows } = await primary.run('SHOW synchronous_commit');
      expect(rows).toEqual([{ synchronous_commit: 'on' }]);
      // Both hosts are in the address, so the servers find the one that is the primary.
      const both = database.replace(`:${primary.port}/`, `:${primary.port},127.0.0.1:${standby.port}/`);
      cluster = await startCluster(2, both, { SERVICE_LOG_LEVEL: 'silent' });
      const { body: project } = await callAny(cluster, 'POST', 'projects', { name: 'Shop' });
      const load = startLoad(cluster, project.api_key);
      await sleep(700);
      await primary.kill();
      await standby.run('SELECT pg_promote()');
      await sleep(700);
      const accepted = await load.stop();
      expect(await countReports(cluster)).toBe(accepted);
      await cluster.close();
      await stopPostgresServers();
    }
  }, 600_000);

  test('a standby that lacks writes is promoted: the servers accept reports, and the log has no gap', async () => {
    for (let round = 0; round < Number(process.env.ROUNDS ?? (isFull ? 10 : 1)); round++) {
      const primary = await startPostgres();
      const database = await primary.createDatabase();
      const standby = await startPostgres(['hot_standby=on'], primary);
      await waitForStandby(primary, 'async');
      const both = database.replace(`:${primary.port}/`, `:${primary.port},127.0.0.1:${standby.port}/`);
      cluster = await startCluster(2, both);
      const { body: project } = await callAny(cluster, 'POST', 'projects', { name: 'Shop' });
      await callAny(cluster, 'POST', 'errors', { project_api_key: project.api_key, message: 'The door failed' });
      await waitUntilReplayed(primary, standby);
      await standby.run('SELECT pg_wal_replay_pause()');
      standby.signal('SIGSTOP');
      // The standby never sees these.
      for (let index = 0; index < 10; index++)
        await callAny(cluster, 'POST', 'errors', { project_api_key: project.api_key, message: 'The door failed' });
      await primary.kill();
      standby.signal('SIGCONT');
      await standby.run('SELECT pg_wal_replay_resume()');
      await standby.run('SELECT pg_promote()');
      const { status } = await callAny(cluster, 'POST', 'errors', {
        project_api_key: project.api_key,
        message: 'The door failed',
      });
      expect(status).toBe(200);
      const count = await countReports(cluster);
      expect(count).toBeGreaterThanOrEqual(2);
      const name = new URL(database).pathname.slice(1);
      const { rows } = await standby.run('SELECT number FROM service.batch ORDER BY number', name);
      const numbers = rows.map(({ number }: { number: string }) => Number(number));
      expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
      await cluster.close();
      await stopPostgresServers();
    }
  }, 600_000);
});

async function waitForStandby(primary: PostgresServer, state: string): Promise<void> {
  const states = async (): Promise<unknown[]> =>
    (await primary.run('SELECT sync_state FROM pg_stat_replication')).rows.map(
      (row: { sync_state: string }) => row.sync_state,
    );
  await primary.run('SELECT pg_reload_conf()');
  while (!(await states()).includes(state)) await sleep(50);
}

async function waitUntilReplayed(primary: PostgresServer, standby: PostgresServer): Promise<void> {
  const { rows } = await primary.run('SELECT pg_current_wal_lsn() AS lsn');
  const [{ lsn }] = rows as [{ lsn: string }];
  const isReplayed = async (): Promise<boolean> =>
    ((await standby.run(`SELECT pg_last_wal_replay_lsn() >= '${lsn}' AS done`)).rows[0] as { done: boolean }).done;
  while (!(await isReplayed())) await sleep(50);
}
