import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem, Project, SourceMapUsage, Tokens } from '@service/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cleanUp, temporaryFolder } from '../test-utils/describe-service.ts';
import { startWatched, type WatchedServer } from './watched-server.ts';

let server: WatchedServer;
let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startWatched(`file:${folder}`, {
    SERVICE_REGISTRATION: 'open',
    SERVICE_MAX_PROJECTS: '3',
    SERVICE_SOURCE_MAP_MB: '1',
  });
});
afterAll(async () => {
  await server.stop();
  await cleanUp();
});

const password = 'a password of mallory';

async function register(email: string, team_name: string): Promise<string> {
  return (await server.call<Tokens>('POST', 'auth/register', { body: { email, password, team_name } })).body
    .access_token;
}

/** A map whose texts do not compress. */
function mapForm(name: string, bytes: number): FormData {
  const content = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('base64');
  const sourcesContent = Array.from({ length: Math.ceil(bytes / content.length) }, (_, index) => {
    const random = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('base64');
    return `// ${index} ${random}`;
  });
  const map = { version: 3, file: `${name}.js`, sources: sourcesContent.map((_, index) => `${name}${index}.ts`) };
  const form = new FormData();
  form.set(
    'file',
    new Blob([JSON.stringify({ ...map, sourcesContent, names: [], mappings: 'AAAA' })]),
    `${name}.js.map`,
  );
  return form;
}

test('a team has a limited number of projects, invitations and bytes of source maps', async () => {
  const token = await register('mallory@evil.example', 'Mallory');
  const statuses: string[] = [];
  for (let index = 0; index < 4; index++) {
    const { status, body } = await server.call<Problem & Project>('POST', 'projects', { token, body: { name: 'x' } });
    statuses.push(`${status} ${body.code}`);
  }
  expect(statuses).toEqual([...Array<string>(3).fill('201 undefined'), '409 conflict']);
  const { body: projects } = await server.call<Project[]>('GET', 'projects', { token });
  const uploads: string[] = [];
  for (const name of ['a', 'b', 'c', 'd']) {
    const { status, body } = await server.call<Problem>('POST', `projects/${projects[0]?.id}/source-maps`, {
      token,
      body: mapForm(name, 400_000),
    });
    uploads.push(`${status} ${body.detail ?? ''}`);
  }
  expect(uploads.filter((upload) => upload.startsWith('201'))).not.toHaveLength(uploads.length);
  expect(uploads.at(-1)).toContain('SERVICE_SOURCE_MAP_MB');
  const { body: usage } = await server.call<SourceMapUsage>('GET', 'source-maps/usage', { token });
  expect(usage.bytes).toBeLessThanOrEqual(usage.max_bytes);
  expect(usage).toMatchObject({ max_bytes: 2 ** 20, expire_days: 90 });
  // Another team is not affected.
  const other = await register('ann@shop.example', 'Shop');
  expect((await server.call('POST', 'projects', { token: other, body: { name: 'Shop' } })).status).toBe(201);
  expect((await server.call<SourceMapUsage>('GET', 'source-maps/usage', { token: other })).body.maps).toBe(0);
  const invited: number[] = [];
  for (let index = 0; index < 202; index++)
    invited.push(
      (await server.call('POST', 'members', { token, body: { email: `i${index}@evil.example`, role: 'viewer' } }))
        .status,
    );
  expect(invited.filter((status) => status === 201)).toHaveLength(200);
  expect(invited.at(-1)).toBe(409);
});

test('accounts and teams can be deleted, and none of their data stays on the disk', async () => {
  const token = await register('gone@shop.example', 'Gone team');
  const { body: project } = await server.call<Project>('POST', 'projects', { token, body: { name: 'Secret project' } });
  await server.call('POST', 'errors', {
    token: '',
    body: { project_api_key: project.api_key, message: 'Secret report' },
  });
  const member = { email: 'member@shop.example', role: 'owner', password };
  await server.call('POST', 'members', { token, body: member });
  const { body: tokens } = await server.call<Tokens>('POST', 'auth/login', { body: { email: member.email, password } });
  const asMember = { token: tokens.access_token };
  const code = async (path: string, body: object, as = { token }): Promise<string> => {
    const response = await server.call<Problem>('POST', path, { ...as, body });
    return `${response.status} ${response.body.code ?? ''}`.trim();
  };
  expect(await code('auth/me/delete', { current_password: 'wrong' }, asMember)).toBe('401 invalid_credentials');
  expect(await code('auth/me/delete', { current_password: password }, asMember)).toBe('204');
  expect((await server.call('GET', 'auth/me', asMember)).status).toBe(401);
  expect(await code('auth/me/delete', { current_password: password })).toBe('409 last_owner');
  expect(await code('team/delete', { current_password: password, team_name: 'Other' })).toBe('422 validation_failed');
  expect(await code('team/delete', { current_password: password, team_name: 'Gone team' })).toBe('204');
  expect((await server.call('GET', 'auth/me', { token })).status).toBe(401);
  expect(await code('errors', { project_api_key: project.api_key, message: 'x' })).toBe('401 invalid_api_key');
  const operator = await server.call<Problem>('POST', 'team/delete', {
    body: { current_password: 'correct horse battery', team_name: 'Operator' },
  });
  expect(operator.status).toBe(409);
  // Compaction erases what was removed once the server is idle.
  await expect
    .poll(async () => (await stored(folder)).filter((text) => /Secret|Gone team|gone@shop|member@shop/.test(text)), {
      timeout: 50_000,
      interval: 500,
    })
    .toEqual([]);
  await register('gone@shop.example', 'Gone team');
});

/** Returns the content of all files of a storage. */
async function stored(path: string): Promise<string[]> {
  const files = (await readdir(path, { recursive: true, withFileTypes: true })).filter((file) => file.isFile());
  const read = (file: string): Promise<string> => readFile(file, 'latin1').catch(() => '');
  return Promise.all(files.map(({ parentPath, name }) => read(join(parentPath, name))));
}
