import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds } from '../measure/cpu.mjs';

/** Starts a separate PostgreSQL in a temporary folder. It ends with this process. */
export async function startPostgres() {
  const bin = newestPrograms();
  const owner = process.getuid?.() === 0 ? { uid: userId('-u'), gid: userId('-g') } : {};
  const folder = mkdtempSync(join(tmpdir(), 'service-bench-postgres-'));
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'service', '--auth=trust', '-E', 'UTF8', '--locale=C'], {
    ...owner,
    stdio: 'ignore',
    cwd: tmpdir(),
  });
  const port = await freePort();
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`];
  const child = spawn(join(bin, 'postgres'), ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
    ...owner,
    stdio: 'ignore',
    cwd: tmpdir(),
  });
  process.on('exit', () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  const ready = join(bin, 'pg_isready');
  while (spawnSync(ready, ['-h', '127.0.0.1', '-p', String(port)]).status !== 0) await sleep(50);
  return {
    url: `postgres://service@127.0.0.1:${port}/postgres`,
    /** Returns the CPU seconds of all of its processes that run now. */
    cpuSeconds: () =>
      processesOf(child.pid ?? 0).reduce((sum, pid) => {
        try {
          return sum + cpuSeconds(pid);
        } catch {
          // The process has ended since it was listed.
          return sum;
        }
      }, 0),
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      await ended;
    },
  };
}

/** @param {number} parent */
function processesOf(parent) {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number);
  return [parent, ...children];
}

function newestPrograms() {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).toSorted((one, other) => Number(other) - Number(one)) : [];
  if (versions.length === 0) throw new Error('This benchmark needs PostgreSQL: apt install postgresql');
  return join(root, versions[0], 'bin');
}

/** @param {string} flag */
function userId(flag) {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
}

/** @returns {Promise<number>} */
async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address());
  probe.close();
  await once(probe, 'close');
  return port;
}
