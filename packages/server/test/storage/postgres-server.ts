import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../../../test/test-utils/free-port.ts';

/** The folder of the programs of PostgreSQL. Empty if they are in the path, null if they are not installed. */
export const postgresPrograms = findPrograms();

/** True if PostgreSQL is installed. Otherwise the tests that need it are skipped, with a warning. */
export const hasPostgres = postgresPrograms !== null;
if (!hasPostgres) console.warn('PostgreSQL is not installed. The tests of the driver postgres: are skipped.');

export interface PostgresServer {
  readonly port: number;
  readonly folder: string;
  /** Creates a database, empty or as a copy of another one, and resolves with its address. */
  createDatabase(copyOf?: string): Promise<string>;
  /** Returns the address of a database. */
  url(database: string): string;
  /** Starts PostgreSQL again on the same port and folder. */
  start(): Promise<void>;
  /** Sends SIGKILL to all of its processes. */
  kill(): Promise<void>;
  /** Sends a signal to the main process. */
  signal(signal: NodeJS.Signals): void;
  /** Runs a statement, in the database `postgres` by default. */
  run(statement: string, database?: string): Promise<pg.QueryResult>;
}

const servers = new Set<PostgresServer>();
let databases = 0;

/** Starts a separate PostgreSQL on a free port. `copyOf` makes it a standby of another one. */
export async function startPostgres(settings: string[] = [], copyOf?: PostgresServer): Promise<PostgresServer> {
  if (postgresPrograms === null) throw new Error('PostgreSQL is not installed.');
  const folder = mkdtempSync(join(tmpdir(), 'service-postgres-'));
  const data = join(folder, 'data');
  chmodSync(folder, 0o700);
  if (postgresOwner) chownSync(folder, postgresOwner.uid, postgresOwner.gid);
  const port = await freePort();
  if (copyOf)
    call('pg_basebackup', ['-h', '127.0.0.1', '-p', `${copyOf.port}`, '-U', 'service', '-D', data, '-R', '-c', 'fast']);
  else call('initdb', ['-D', data, '-U', 'service', '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync']);
  let running: ChildProcess | null = null;
  const server: PostgresServer = {
    port,
    folder,
    url: (database) => `postgres://service@127.0.0.1:${port}/${database}`,
    async createDatabase(copied) {
      const name = `test_${process.pid}_${++databases}`;
      const template = copied ? ` TEMPLATE ${new URL(copied).pathname.slice(1)}` : '';
      await server.run(`CREATE DATABASE ${name}${template}`);
      return server.url(name);
    },
    async start() {
      const all = [`port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, ...settings];
      const args = ['-D', data, ...all.flatMap((setting) => ['-c', setting])];
      while (!(await accepts(port))) {
        // After a kill, PostgreSQL refuses to start as long as one of its processes is ending.
        if (running?.exitCode !== null || running.signalCode !== null)
          running = spawn('sh', ['-c', guarded, folder, program('postgres'), ...args], {
            ...postgresOwner,
            detached: true,
            stdio: ['pipe', 'ignore', 'ignore'],
          });
        await sleep(50);
      }
    },
    async kill() {
      if (running?.exitCode !== null || running.signalCode !== null) return;
      const ended = once(running, 'exit');
      process.kill(-(running.pid ?? 0), 'SIGKILL');
      await ended;
    },
    signal: (signal) =>
      void process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), signal),
    run: (statement, database = 'postgres') => queryPostgres(server.url(database), statement),
  };
  servers.add(server);
  await server.start();
  return server;
}

let shared: Promise<PostgresServer> | null = null;

/** Creates a database on a PostgreSQL that the tests of a file share until `stopPostgresServers`. */
export async function createDatabase(copyOf?: string): Promise<string> {
  shared ??= startPostgres(['fsync=off']);
  return (await shared).createDatabase(copyOf);
}

/** Kills all servers and removes their folders. Without this call, they end with the process of the tests. */
export async function stopPostgresServers(): Promise<void> {
  shared = null;
  for (const server of servers) {
    await server.kill();
    rmSync(server.folder, { recursive: true, force: true, maxRetries: 5 });
  }
  servers.clear();
}

/**
 * A shell script that runs PostgreSQL and ends with it. Once the process of the tests has ended, the input of the
 * script ends, and the script removes the folder and kills PostgreSQL.
 */
const guarded = '{ "$@"; kill -KILL 0; } & cat > /dev/null; rm -rf "$0"; kill -KILL 0';

/** Runs a statement in a database, on a separate connection. */
export async function queryPostgres(url: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(statement);
  } finally {
    await client.end();
  }
}

async function accepts(port: number): Promise<boolean> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'service', database: 'postgres' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Debian keeps the programs of each version apart. */
function findPrograms(): string | null {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).toSorted((one, other) => Number(other) - Number(one)) : [];
  const folder = versions.map((version) => join(root, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')));
  if (folder) return folder;
  return spawnSync('initdb', ['--version']).status === 0 ? '' : null;
}

function program(name: string): string {
  return postgresPrograms ? join(postgresPrograms, name) : name;
}

function call(name: string, args: string[]): void {
  execFileSync(program(name), args, { ...postgresOwner, stdio: ['ignore', 'ignore', 'pipe'], cwd: tmpdir() });
}

/** PostgreSQL refuses to run as root. */
export const postgresOwner = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : null;

function idOf(flag: string): number {
  const found = ['postgres', 'daemon'].map((user) => spawnSync('id', [flag, user]));
  return Number(found.find(({ status }) => status === 0)?.stdout.toString() ?? 65_534);
}
