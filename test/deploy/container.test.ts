import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { adminToken, listeningUrl } from '../test-utils/server-process.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const script = fileURLToPath(new URL('container.sh', import.meta.url));
const main = 'packages/server/bin/service-server.js';
const contained = ['--mount', '--pid', '--fork', '--kill-child', '--propagation', 'private'];
const canContain = spawnSync('unshare', [...contained, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
if (!canContain) console.warn('Only root can create namespaces here, so the start as in a container is not tested.');

const ended: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

interface Container {
  url: string;
  /** Signals the server, which is process 1 of the container. Resolves with its exit code. */
  stop(): Promise<number | null>;
}

async function start(folder: string): Promise<Container> {
  const inContainer = ['sh', script, join(folder, 'root'), join(folder, 'data'), repository, process.execPath, main];
  const child = spawn('unshare', [...contained, ...inContainer, '--port', '0'], {
    env: { SERVICE_STORAGE: 'file:/data', SERVICE_ADMIN_TOKEN: adminToken, SERVICE_LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit') as Promise<[code: number | null]>;
  ended.push(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  const url = await listeningUrl(child);
  return {
    url,
    async stop() {
      const pid = Number((await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')).split(' ')[0]);
      process.kill(pid, 'SIGTERM');
      const [code] = await exit;
      return code;
    },
  };
}

async function call<Body>(url: string, method: string, path: string, body?: unknown): Promise<Body> {
  const response = await fetch(`${url}/api/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
  return (await response.json()) as Body;
}

describe.runIf(canContain)('in a container', () => {
  test('the server is stopped by SIGTERM under load, and loses no acknowledged report', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'service-container-'));
    ended.push(() => rm(folder, { recursive: true, force: true }));
    for (const name of ['root', 'data']) await mkdir(join(folder, name));

    const first = await start(folder);
    const project = await call<{ api_key: string }>(first.url, 'POST', 'projects', { name: 'Shop' });
    let acknowledged = 0;
    const report = { project_api_key: project.api_key, message: 'Under load' };
    const clients = Array.from({ length: 8 }, async () => {
      // Ends when the server no longer accepts reports.
      while (true) {
        await call(first.url, 'POST', 'errors', report);
        acknowledged++;
      }
    });
    const allEnded = Promise.allSettled(clients);
    await expect.poll(() => acknowledged).toBeGreaterThan(200);
    expect(await first.stop()).toBe(0);
    await allEnded;

    const second = await start(folder);
    const { items } = await call<{ items: { count: number }[] }>(second.url, 'GET', 'errors');
    // A report may be stored although its response was lost.
    const count = items[0]?.count ?? 0;
    expect(count - acknowledged).toBeGreaterThanOrEqual(0);
    expect(count - acknowledged).toBeLessThanOrEqual(clients.length);
    expect(await second.stop()).toBe(0);
  });
});
