import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startServer } from '../test-utils/server-process.ts';

const hasStrace = spawnSync('strace', ['-f', '-e', 'trace=fdatasync', 'true']).status === 0;
if (!hasStrace)
  console.warn('strace is missing, so the order of fdatasync and response is not tested (apt-get install strace).');

test.skipIf(!hasStrace)('a report is synced to disk before the server responds', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'service-strace-'));
  const trace = join(folder, 'trace');
  const server = await startServer(`file:${join(folder, 'data')}`, [
    'strace',
    '-f',
    '-y',
    '-s',
    '4096',
    '-e',
    'trace=write,writev,fdatasync',
    '-o',
    trace,
  ]);
  try {
    const { body } = await server.call('POST', 'projects', { name: 'Shop' });
    await server.call('POST', 'errors', { project_api_key: body.api_key, message: 'needle-in-the-log' });
  } finally {
    // strace does not forward the signal, so the server is killed as strace's child.
    spawnSync('pkill', ['-KILL', '-P', String(server.pid)]);
    await server.kill();
  }
  const calls = (await readFile(trace, 'utf8')).split('\n');
  await rm(folder, { recursive: true, force: true });
  const written = calls.findIndex((line) => line.includes('needle-in-the-log') && line.includes('.log>'));
  const synced = calls.findIndex(
    (line, index) => index > written && /fdatasync\(\d+<[^>]*\.log>\) += 0|fdatasync resumed>.*= 0/.test(line),
  );
  const responded = calls.findIndex((line) => line.includes('is_new_group'));
  expect(written).toBeGreaterThan(0);
  expect(synced).toBeGreaterThan(written);
  expect(responded).toBeGreaterThan(synced);
});
