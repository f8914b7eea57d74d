import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { postgresOwner, postgresPrograms, queryPostgres } from '../../packages/server/test/storage/postgres-server.ts';
import { freePort } from '../test-utils/free-port.ts';

/** True if PostgreSQL, Patroni and etcd are installed. */
export const hasPatroni =
  postgresPrograms !== null && ['patroni', 'etcd'].every((program) => spawnSync(program, ['--version']).status === 0);
if (!hasPatroni)
  console.warn('PostgreSQL, Patroni or etcd is not installed. The tests of a cluster of Patroni are skipped.');

/** Three servers of PostgreSQL that Patroni replicates synchronously, on loopback. */
export interface PatroniCluster {
  /** The address of the database, with the hosts of all three. */
  url: string;
  /** Kills Patroni and PostgreSQL of the leader. Resolves with its index. */
  killLeader(): Promise<number>;
  /** Starts a member again. Resolves once all members run and one standby is synchronous. */
  restart(index: number): Promise<void>;
  close(): Promise<void>;
}

interface PatroniMember {
  name: string;
  port: number;
  restPort: number;
  configuration: string;
  process: ChildProcess | null;
}

const members = 3;
const readyMs = 60_000;

export async function startPatroni(): Promise<PatroniCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'service-patroni-'));
  giveToOwner(folder);
  const etcdPort = await freePort();
  const etcd = await startEtcd(folder, etcdPort);
  const all: PatroniMember[] = [];
  for (let index = 0; index < members; index++) all.push(await configure(folder, `node${index}`, etcdPort));
  for (const member of all) start(member);
  const cluster: PatroniCluster = {
    url: `postgres://service@${all.map(({ port }) => `127.0.0.1:${port}`).join()}/postgres`,
    async killLeader() {
      const index = await until('a leader', async () => {
        const roles = await Promise.all(all.map((member) => answers(member, 'leader')));
        return roles.includes(true) ? roles.indexOf(true) : null;
      });
      await kill(all[index] as PatroniMember);
      return index;
    },
    async restart(index) {
      start(all[index] as PatroniMember);
      await untilReplicated(all);
    },
    async close() {
      for (const member of all) await kill(member);
      etcd.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
  try {
    await untilReplicated(all);
  } catch (error) {
    await cluster.close();
    throw error;
  }
  return cluster;
}

async function startEtcd(folder: string, port: number): Promise<ChildProcess> {
  const peer = `http://127.0.0.1:${await freePort()}`;
  const client = `http://127.0.0.1:${port}`;
  return spawn(
    'etcd',
    [
      ['--name', 'etcd'],
      ['--data-dir', join(folder, 'etcd')],
      ['--listen-client-urls', client],
      ['--advertise-client-urls', client],
      ['--listen-peer-urls', peer],
      ['--initial-advertise-peer-urls', peer],
      ['--initial-cluster', `etcd=${peer}`],
      ['--enable-v2=true'],
      ['--unsafe-no-fsync'],
    ].flat(),
    { ...postgresOwner, stdio: 'ignore' },
  );
}

/** Writes the configuration of a member: that of the documentation, with shorter times. */
async function configure(folder: string, name: string, etcdPort: number): Promise<PatroniMember> {
  const [port, restPort] = [await freePort(), await freePort()];
  const home = join(folder, name);
  mkdirSync(home);
  giveToOwner(home);
  const configuration = join(home, 'patroni.json');
  writeFileSync(
    configuration,
    JSON.stringify({
      scope: 'service',
      name,
      restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
      etcd3: { host: `127.0.0.1:${etcdPort}` },
      bootstrap: {
        dcs: {
          ttl: 20,
          loop_wait: 1,
          retry_timeout: 3,
          synchronous_mode: true,
          synchronous_mode_strict: true,
          postgresql: { use_pg_rewind: true },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums', 'no-sync'],
      },
      postgresql: {
        listen: `127.0.0.1:${port}`,
        connect_address: `127.0.0.1:${port}`,
        data_dir: join(home, 'data'),
        bin_dir: postgresPrograms,
        pgpass: join(home, 'pgpass'),
        authentication: { superuser: { username: 'service' }, replication: { username: 'service' } },
        parameters: { unix_socket_directories: home, max_connections: 60, shared_buffers: '16MB' },
        pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust', 'local all all trust'],
      },
    }),
  );
  giveToOwner(configuration);
  return { name, port, restPort, configuration, process: null };
}

function start(member: PatroniMember): void {
  member.process = spawn('patroni', [member.configuration], { ...postgresOwner, detached: true, stdio: 'ignore' });
}

/** Kills Patroni and its PostgreSQL, as the loss of their machine does. */
async function kill({ process: running, configuration }: PatroniMember): Promise<void> {
  if (!running?.pid || running.exitCode !== null || running.signalCode !== null) return;
  const ended = once(running, 'exit');
  running.kill('SIGKILL');
  await ended;
  // PostgreSQL runs in a separate process group.
  spawnSync(join(postgresPrograms ?? '', 'pg_ctl'), ['stop', '-m', 'immediate', '-D', join(configuration, '../data')], {
    ...postgresOwner,
  });
}

/** Resolves once all members run and one of the standbys is synchronous. */
async function untilReplicated(all: readonly PatroniMember[]): Promise<void> {
  await until('a synchronous standby', async () => {
    const roles = await Promise.all(all.map((member) => answers(member, 'leader')));
    const leader = all[roles.indexOf(true)];
    if (!leader) return null;
    const { rows } = await queryPostgres(
      `postgres://service@127.0.0.1:${leader.port}/postgres`,
      "SELECT count(*) FILTER (WHERE sync_state = 'sync')::int AS sync, count(*)::int AS all FROM pg_stat_replication",
    );
    const [found] = rows as { sync: number; all: number }[];
    return (found && found.sync > 0 && found.all === all.length - 1) || null;
  });
}

/** Resolves with true if Patroni says that a member has a role. */
async function answers({ restPort }: PatroniMember, role: 'leader'): Promise<boolean> {
  return fetch(`http://127.0.0.1:${restPort}/${role}`, { signal: AbortSignal.timeout(2_000) }).then(
    async (response) => (await response.text(), response.ok),
    () => false,
  );
}

async function until<Result>(what: string, read: () => Promise<Result | null>): Promise<Result> {
  for (const end = performance.now() + readyMs; performance.now() < end; await sleep(200)) {
    const result = await read().catch(() => null);
    if (result !== null) return result;
  }
  throw new Error(`Patroni has no ${what} after ${readyMs / 1_000} seconds.`);
}

function giveToOwner(path: string): void {
  if (!postgresOwner) return;
  chownSync(path, postgresOwner.uid, postgresOwner.gid);
  chmodSync(path, 0o700);
}
