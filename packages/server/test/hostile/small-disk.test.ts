import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { cleanUp, temporaryFolder } from '../test-utils/describe-service.ts';
import { startWatched, type WatchedServer } from './watched-server.ts';
import { isFull, isThorough } from '../../../../test/test-utils/depth.ts';

const rounds = isFull ? 10 : isThorough ? 2 : 1;
const diskMb = 64;

afterEach(cleanUp);

/** Text that does not shrink when it is compressed. */
function noise(length: number): string {
  return Array.from({ length }, () => String.fromCharCode(35 + Math.random() * 57)).join('');
}

function succeeds(command: string, ...words: string[]): boolean {
  return spawnSync(command, words).status === 0;
}

interface ListedGroup {
  error_group_id: number;
}

/** Sends large reports, each with a new group, until the storage is full. Returns the ids of the groups. */
async function fill(server: WatchedServer, key: string): Promise<number[]> {
  const groups: number[] = [];
  for (let refused = 0; refused < 3;) {
    const responses = await Promise.all(
      Array.from({ length: 8 }, () =>
        server.call<ListedGroup>('POST', 'errors', {
          body: {
            project_api_key: key,
            message: noise(20),
            fingerprint: [noise(20)],
            metadata: Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => [name, noise(8_000)])),
          },
        }),
      ),
    );
    for (const { status, body } of responses) {
      expect([200, 503]).toContain(status);
      if (status === 200) groups.push(body.error_group_id);
      else refused++;
    }
  }
  return groups;
}

const readiness = async (server: WatchedServer): Promise<number> =>
  (await fetch(new URL('/readyz', server.url))).status;

test('a small disk is filled and emptied by the API, with kills in between', async ({ skip }) => {
  const disk = await temporaryFolder();
  if (!succeeds('mount', '-t', 'tmpfs', '-o', `size=${diskMb}m`, 'tmpfs', disk))
    return skip('a file system cannot be mounted here, so no disk is filled');
  const start = (): Promise<WatchedServer> => startWatched(`file:${join(disk, 'data')}`);
  let server = await start();
  try {
    const { body: kept } = await server.call<{ id: number; api_key: string }>('POST', 'projects', {
      body: { name: 'Kept' },
    });
    const first = await server.call<ListedGroup>('POST', 'errors', {
      body: { project_api_key: kept.api_key, message: 'kept' },
    });
    for (let round = 0; round < rounds; round++) {
      const { body: project } = await server.call<{ id: number; api_key: string }>('POST', 'projects', {
        body: { name: `Greedy ${round}` },
      });
      const groups = await fill(server, project.api_key);
      expect(await readiness(server)).toBe(503);
      await server.kill();
      server = await start();
      expect(await readiness(server)).toBe(503);
      // Everything that was acknowledged is still there.
      const total = await server.call<{ total: number }>('GET', `errors?project_id=${project.id}`);
      expect(total.body.total).toBe(groups.length);
      expect((await server.call('DELETE', `errors/${groups[0]}`)).status).toBe(204);
      expect((await server.call('DELETE', `projects/${project.id}`)).status).toBe(204);
      await expect.poll(() => readiness(server)).toBe(200);
      if (round % 2 === 1) {
        await server.kill();
        server = await start();
      }
    }
    const last = await server.call<{ count: number }>('GET', `errors/${first.body.error_group_id}`);
    expect([last.status, last.body.count]).toEqual([200, 1]);
  } finally {
    await server.stop();
    succeeds('umount', '-l', disk);
  }
}, 300_000);

test('on a full disk, projects and settings leave the room that deleting needs', async ({ skip }) => {
  const disk = await temporaryFolder();
  if (!succeeds('mount', '-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', disk))
    return skip('a file system cannot be mounted here, so no disk is filled');
  const server = await startWatched(`file:${join(disk, 'data')}`);
  try {
    const { body: project } = await server.call<{ id: number; api_key: string }>('POST', 'projects', {
      body: { name: 'Greedy' },
    });
    await fill(server, project.api_key);
    const url = `https://hooks.example.com/${noise(2_000).replaceAll(/\W/g, 'x')}`;
    const settings = { email: { enabled: false, to: [] }, webhook: { enabled: true, url, format: 'slack' } };
    let last = 201;
    while (last < 400) {
      const added = await server.call<{ id: number }>('POST', 'projects', { body: { name: 'Small' } });
      last = added.status;
      if (last < 400)
        last = (await server.call('PUT', `projects/${added.body.id}/notifications`, { body: settings })).status;
    }
    expect(last).toBe(503);
    const credentials = { email: 'admin@localhost', password: 'correct horse battery' };
    expect((await server.call('POST', 'auth/login', { body: credentials })).status).toBe(200);
    expect((await server.call('DELETE', `projects/${project.id}`)).status).toBe(204);
    await expect.poll(() => readiness(server)).toBe(200);
    expect((await server.call('POST', 'projects', { body: { name: 'After' } })).status).toBe(201);
  } finally {
    await server.stop();
    succeeds('umount', '-l', disk);
  }
});
