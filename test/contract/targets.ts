import { spawn } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ConfigInput } from '../../packages/server/src/index.ts';
import { createDatabase } from '../../packages/server/test/storage/postgres-server.ts';
import { adminPassword } from './credentials.ts';

/** A running server and the means to send requests to it. */
export interface ServerConnection {
  url: string;
  fetch(request: Request): Promise<Response>;
  /** Returns a link that signs the owner in. Only servers in this process have it. */
  signInLink?(): Promise<string>;
  /** Returns everything the program has printed; empty for a server in this process. */
  output(): string;
  close(): Promise<void>;
}

/** A way to run the server that the contract is tested on: in process or as a program, on one storage driver. */
export interface Target {
  /** Creates a storage that has at most the owner. Its address is passed to `startServer`, again after each restart. */
  createStorage(): Promise<{ address: string; folder: string | null; remove(): Promise<void> }>;
  startServer(storage: string, settings: ConfigInput): Promise<ServerConnection>;
  /** True if tests can set the clock of the server, which then shares this process. */
  runsInProcess: boolean;
  /** True if the data survives a restart. */
  isPersistent: boolean;
}

/** The targets of the contract. Another storage needs a line here and a test file of one line. */
export const targets = {
  memory: {
    createStorage: async () => ({ address: 'memory:', folder: null, remove: async () => undefined }),
    startServer: startInProcess,
    runsInProcess: true,
    isPersistent: false,
  },
  file: {
    createStorage: () => createPersistentStorage(fileAddress),
    startServer: startInProcess,
    runsInProcess: true,
    isPersistent: true,
  },
  sqlite: {
    createStorage: () => createPersistentStorage(sqliteAddress),
    startServer: startInProcess,
    runsInProcess: true,
    isPersistent: true,
  },
  /** Its clock must agree with that of PostgreSQL, so tests can't set it. */
  postgres: {
    createStorage: createPostgresStorage,
    startServer: startInProcess,
    runsInProcess: false,
    isPersistent: true,
  },
  /** Several servers on one database. Each request goes to the next one. */
  cluster2: clusterTarget(2),
  cluster4: clusterTarget(4),
  /** The mocked service that tests of apps use: see `packages/mocks`. */
  mocks: {
    createStorage: async () => ({ address: 'memory:', folder: null, remove: async () => undefined }),
    startServer: startMocks,
    runsInProcess: false,
    isPersistent: false,
  },
  program: {
    createStorage: () => createPersistentStorage(fileAddress),
    startServer: startProgram,
    runsInProcess: false,
    isPersistent: true,
  },
} satisfies Record<string, Target>;

export type TargetName = keyof typeof targets;

export const programPath = fileURLToPath(new URL('../../packages/server/bin/service-server.js', import.meta.url));

/** Turns settings into environment variables: `corsOrigins` becomes `SERVICE_CORS_ORIGINS`. */
function toEnvironment(settings: ConfigInput): Record<string, string> {
  const name = (setting: string): string =>
    `SERVICE_${setting.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
  const isText = (value: unknown): boolean =>
    Array.isArray(value) && value.every((item) => typeof item === 'string' || typeof item === 'number');
  return Object.fromEntries(
    Object.entries(settings)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([key, value]) => [
        name(key),
        typeof value === 'object' && !isText(value) ? JSON.stringify(value) : String(value),
      ]),
  );
}

/** Builds the storage address of a folder. */
type StorageAddress = (folder: string) => string;

const fileAddress: StorageAddress = (folder) => `file:${folder}`;
const sqliteAddress: StorageAddress = (folder) => `sqlite:${join(folder, 'service.db')}`;

async function createPersistentStorage(addressOf: StorageAddress): ReturnType<Target['createStorage']> {
  const folder = await mkdtemp(join(tmpdir(), 'service-contract-'));
  // Copied synchronously: SQLite deletes its journal files when the closed database is garbage-collected, which must
  // not happen during the copy.
  cpSync(await initializedFolder(addressOf), folder, { recursive: true });
  return { address: addressOf(folder), folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

let initializedDatabase: Promise<string> | null = null;

async function createPostgresStorage(): ReturnType<Target['createStorage']> {
  initializedDatabase ??= initializeDatabase();
  const address = await createDatabase(await initializedDatabase);
  return { address, folder: null, remove: async () => undefined };
}

async function initializeDatabase(): Promise<string> {
  const address = await createDatabase();
  await (await startInProcess(address, { adminPassword, logLevel: 'silent' })).close();
  return address;
}

const initializedFolders = new Map<StorageAddress, Promise<string>>();

/** Returns a folder in which the owner already has a password: hashing one takes longer than most tests. */
function initializedFolder(addressOf: StorageAddress): Promise<string> {
  const initialize = async (): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'service-contract-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    await (await startInProcess(addressOf(folder), { adminPassword, logLevel: 'silent' })).close();
    return folder;
  };
  const folder = initializedFolders.get(addressOf) ?? initialize();
  initializedFolders.set(addressOf, folder);
  return folder;
}

async function startInProcess(storage: string, settings: ConfigInput): Promise<ServerConnection> {
  const { createService } = await import('../../packages/server/src/index.ts');
  const service = await createService({ ...settings, storage });
  return {
    url: 'http://127.0.0.1:4400',
    fetch: (request) => service.fetch(request),
    signInLink: () => service.signInLink('http://127.0.0.1:4400'),
    output: () => '',
    close: () => service.close(),
  };
}

function clusterTarget(count: number): Target {
  return {
    createStorage: createPostgresStorage,
    startServer: (storage, settings) => startServersInTurn(count, storage, settings),
    runsInProcess: false,
    isPersistent: true,
  };
}

async function startServersInTurn(count: number, storage: string, settings: ConfigInput): Promise<ServerConnection> {
  const servers: ServerConnection[] = [];
  for (let index = 0; index < count; index++) servers.push(await startProgram(storage, settings));
  let next = 0;
  return {
    url: servers[0]?.url ?? '',
    fetch(request) {
      const { url } = servers[next++ % count] as ServerConnection;
      const { origin } = new URL(request.url);
      return fetch(new Request(request.url.replace(origin, url), request));
    },
    output: () => servers.map((server) => server.output()).join(''),
    async close() {
      // Those that only forward go first, so that the log is handed over to none of them.
      for (const server of servers.toReversed()) await server.close();
    },
  };
}

async function startMocks(_: string, settings: ConfigInput): Promise<ServerConnection> {
  const { MockService } = await import('@service/mocks');
  const service = new MockService({ endpoint: 'http://127.0.0.1:4400', settings: { corsOrigins: [], ...settings } });
  return {
    url: service.endpoint,
    fetch: (request) => service.fetch(request),
    output: () => '',
    close: () => service.close(),
  };
}

async function startProgram(storage: string, settings: ConfigInput): Promise<ServerConnection> {
  const child = spawn(process.execPath, [programPath, '--port', '0', '--storage', storage], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, ...toEnvironment(settings) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const found = /Listening: (\S+)/.exec(output)?.[1];
      if (found) resolve(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('close', (code) => reject(new Error(`The server exited with ${code} before it listened.\n${output}`)));
  });
  return {
    url,
    fetch: (request) => fetch(request),
    output: () => output,
    async close() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
