import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDatabase, hasPostgres, stopPostgresServers } from '../storage/postgres-server.ts';
import { cleanUp, temporaryFolder } from '../test-utils/describe-service.ts';
import { killPrograms, runToEnd, startServer, type Program } from './program.ts';

let folder: string;
let storage: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  storage = hasPostgres ? await createDatabase() : '';
});
afterEach(async () => {
  killPrograms();
  await cleanUp();
});
afterAll(stopPostgresServers);

/** Starts a server whose sockets are in this folder. */
const start = (runtimeFolder = folder): Promise<Program> =>
  startServer(['--storage', storage], { XDG_RUNTIME_DIR: runtimeFolder, SERVICE_PLANS: plans, SERVICE_PLAN: 'free' });

const plans = JSON.stringify(
  ['free', 'pro', 'large'].map((id) => ({
    id,
    name: id.toUpperCase(),
    price: 0,
    currency: 'EUR',
    error_quota: 5,
    ai_quota: 1,
  })),
);

/** Runs a command on the storage. */
const command = (...args: string[]) =>
  runToEnd([...args, '--storage', storage], { XDG_RUNTIME_DIR: folder, SERVICE_PLANS: plans, SERVICE_PLAN: 'free' });

const sockets = async (): Promise<string[]> =>
  (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.sock'));

async function stop({ child, exited }: Program): Promise<void> {
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
}

describe.skipIf(!hasPostgres)('commands on a machine with several servers', () => {
  test('run in the server that holds the log, whichever was started first', async () => {
    const first = await start();
    const second = await start();
    expect(await sockets()).toHaveLength(2);
    expect(await command('plan', '1', 'pro')).toMatchObject({ code: 0, output: expect.stringContaining('PRO') });

    await stop(first);
    const third = await start();
    expect(await command('plan', '1', 'large')).toMatchObject({ code: 0, output: expect.stringContaining('LARGE') });
    expect(await command('end-sessions')).toMatchObject({ code: 0 });
    expect(await command('backup', join(folder, 'all.backup'))).toMatchObject({ code: 0 });
    expect(await command('restore', join(folder, 'all.backup'), '--force')).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^service-server: Process \d+ uses this storage/),
    });

    second.child.kill('SIGKILL');
    await second.exited;
    // The third one takes over.
    await expect.poll(() => command('plan', '1', 'free'), { timeout: 60_000 }).toMatchObject({ code: 0 });
    const fourth = await start();
    expect(await sockets()).toHaveLength(2);
    for (const program of [third, fourth]) await stop(program);
    expect(await sockets()).toEqual([]);
  });

  test('name the server that holds the log if it has no socket here, and back up the storage', async () => {
    const elsewhere = await start(await temporaryFolder());
    await start();
    const { code, output } = await command('plan', '1', 'pro');
    expect(code).toBe(1);
    expect(output).toContain(`The server at ${elsewhere.url} holds the log`);
    expect(await command('backup', join(folder, 'all.backup'))).toMatchObject({ code: 0 });
  });

  test('a server that announces the URL of the holder as its own warns of it', async () => {
    const env = { XDG_RUNTIME_DIR: folder, SERVICE_CLUSTER_URL: 'http://127.0.0.1:4400' };
    await startServer(['--storage', storage], env);
    const second = await startServer(['--storage', storage], env);
    await expect
      .poll(second.output, { timeout: 60_000 })
      .toContain('announces the same URL as this one (http://127.0.0.1:4400)');
  });
});
