import { spawn } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ConfigInput } from '../../packages/server/src/index.ts';

export const adminPassword = 'correct horse battery';

/** A server somewhere, and a way to ask it. */
export interface Opened {
  url: string;
  fetch(request: Request): Promise<Response>;
  /** A link that signs the owner in, where it can be asked for. */
  signInLink?(): Promise<string>;
  /** What the program has printed so far; empty where no program runs. */
  output(): string;
  close(): Promise<void>;
}

/** Somewhere a server can run. `storage` is what `open` is given, again and again if it is to outlive a restart. */
export interface Place {
  storage(): Promise<{ address: string; folder: string | null; remove(): Promise<void> }>;
  open(storage: string, settings: ConfigInput): Promise<Opened>;
  /** Whether tests may turn the clock: it has to be this process's own. */
  hasClock: boolean;
  /** Whether what it holds is there after a restart. */
  isLasting: boolean;
}

/** Where the contract is tested. Another storage joins with a line here and a test file of one line. */
export const places = {
  memory: {
    storage: async () => ({ address: 'memory:', folder: null, remove: async () => undefined }),
    open: openInProcess,
    hasClock: true,
    isLasting: false,
  },
  file: { storage: () => lastingStorage(inFolder), open: openInProcess, hasClock: true, isLasting: true },
  sqlite: { storage: () => lastingStorage(inDatabase), open: openInProcess, hasClock: true, isLasting: true },
  program: { storage: () => lastingStorage(inFolder), open: startProgram, hasClock: false, isLasting: true },
} satisfies Record<string, Place>;

export type PlaceName = keyof typeof places;

export const bin = fileURLToPath(new URL('../../packages/server/bin/service-server.js', import.meta.url));

/** `corsOrigins` is `SERVICE_CORS_ORIGINS`. */
export function variables(settings: ConfigInput): Record<string, string> {
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

type AddressIn = (folder: string) => string;

const inFolder: AddressIn = (folder) => `file:${folder}`;
const inDatabase: AddressIn = (folder) => `sqlite:${join(folder, 'service.db')}`;

async function lastingStorage(addressIn: AddressIn): ReturnType<Place['storage']> {
  const folder = await mkdtemp(join(tmpdir(), 'service-contract-'));
  // At one go: the files beside an SQLite database go when what had it open is collected, which may be meanwhile.
  cpSync(await firstStart(addressIn), folder, { recursive: true });
  return { address: addressIn(folder), folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

const started = new Map<AddressIn, Promise<string>>();

/** A folder in which the owner has a password already: to make one takes longer than most tests. */
function firstStart(addressIn: AddressIn): Promise<string> {
  const start = async (): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'service-contract-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    await (await openInProcess(addressIn(folder), { adminPassword, logLevel: 'silent' })).close();
    return folder;
  };
  const found = started.get(addressIn) ?? start();
  started.set(addressIn, found);
  return found;
}

async function openInProcess(storage: string, settings: ConfigInput): Promise<Opened> {
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

async function startProgram(storage: string, settings: ConfigInput): Promise<Opened> {
  const child = spawn(process.execPath, [bin, '--port', '0', '--storage', storage], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, ...variables(settings) },
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
    child.once('close', (code) => reject(new Error(`The server stopped with ${code} before it listened.\n${output}`)));
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
