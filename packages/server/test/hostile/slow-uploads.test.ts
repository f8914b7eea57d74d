import { readdir, readlink } from 'node:fs/promises';
import type { Project, SourceMap, Tokens } from '@service/protocol';
import { afterEach, describe, expect, test } from 'vitest';
import { cleanUp, temporaryFolder } from '../test-utils/describe-service.ts';
import { largeMap } from './large-map.ts';
import { startWatched, type WatchedServer } from './watched-server.ts';
import { isThorough } from '../../../../test/test-utils/depth.ts';

const mib = 1024 * 1024;
const slowMap = Buffer.concat([...largeMap(2 * mib, 'slow.js')]);

let server: WatchedServer;
let spoolFolder: string;
let storageFolder: string;
afterEach(async () => {
  await server.stop();
  await cleanUp();
});

async function start(): Promise<void> {
  [storageFolder, spoolFolder] = await Promise.all([temporaryFolder(), temporaryFolder()]);
  server = await startWatched(`file:${storageFolder}`, { SERVICE_REGISTRATION: 'open', TMPDIR: spoolFolder });
}

/** Returns what is in the folder for temporary files, except the folder of the server's control socket. */
async function temporaryFiles(): Promise<string[]> {
  const files = await readdir(spoolFolder);
  return files.filter((file) => !file.startsWith('service-server-'));
}

interface Team {
  token: string;
  projectId: number;
}

async function createTeam(name: string): Promise<Team> {
  const account = { email: `${name}@shop.example`, password: `a password of ${name}`, team_name: name };
  const { body: tokens } = await server.call<Tokens>('POST', 'auth/register', { body: account });
  const token = tokens.access_token;
  const { body: project } = await server.call<Project>('POST', 'projects', { token, body: { name } });
  return { token, projectId: project.id };
}

interface SlowUpload {
  response: Promise<string>;
  leave(): void;
}

const mapPath = ({ projectId }: Team): string => `/api/v1/projects/${projectId}/source-maps`;
/** Where tools of Sentry upload a part of a bundle. */
const chunkPath = (): string => '/api/0/organizations/shop/chunk-upload/';

/** Starts an upload that sends 400 KiB at once, and from then on 45 KiB a second. */
function trickle(team: Team, path = mapPath): SlowUpload {
  const leaving = new AbortController();
  const left = new Promise<void>((resolve) => leaving.signal.addEventListener('abort', () => resolve()));
  async function* pieces(): AsyncGenerator<string | Uint8Array> {
    yield `POST ${path(team)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${team.token}\r\n`;
    yield `Content-Type: multipart/form-data; boundary=x\r\nContent-Length: ${7 * mib}\r\n\r\n`;
    yield '--x\r\nContent-Disposition: form-data; name="file"; filename="slow.js.map"\r\n\r\n';
    yield slowMap.subarray(0, 400 * 1024);
    for (let at = 400 * 1024; at < slowMap.length && !leaving.signal.aborted; at += 9 * 1024) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      yield slowMap.subarray(at, at + 9 * 1024);
    }
  }
  return { response: server.send(pieces(), /\}$/, left), leave: () => leaving.abort() };
}

/** Uploads a whole map of 3 MiB. */
async function uploadLarge({ token, projectId }: Team, file = 'large.js'): Promise<{ status: number }> {
  const form = new FormData();
  form.set('file', new Blob([Buffer.concat([...largeMap(3 * mib, file)])]), `${file}.map`);
  return server.call<SourceMap>('POST', `projects/${projectId}/source-maps`, { token, body: form });
}

const seconds = (count: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, count * 1_000));

/** Returns the open files of the server in the folder for temporary files, also those without a name. */
async function openSpoolFiles(): Promise<string[]> {
  const descriptors = await readdir(`/proc/${server.pid}/fd`);
  const targets = await Promise.all(
    descriptors.map((name) => readlink(`/proc/${server.pid}/fd/${name}`).catch(() => '')),
  );
  return targets.filter((target) => target.startsWith(`${spoolFolder}/service-upload-`));
}

test.each(isThorough ? [4, 36] : [36])('%i slow uploads of a team delay no large map of other teams', async (count) => {
  await start();
  const [slow, other] = [await createTeam('slow'), await createTeam('other')];
  const uploads = Array.from({ length: count }, () => trickle(slow));
  await seconds(3);
  expect((await uploadLarge(other)).status).toBe(201);
  // It did not wait until a slow upload ended, and no slow upload is rejected.
  expect(await Promise.race([...uploads.map(({ response }) => response), seconds(0)])).toBeUndefined();
  for (const { leave } of uploads) leave();
  expect(server.errorLog()).toEqual([]);
});

describe.runIf(process.platform === 'linux').each([
  ['source maps', mapPath],
  ['chunks of bundles', chunkPath],
])('slow uploads of %s', (_name, path) => {
  test('that take all places are aborted for an upload of another team', async () => {
    await start();
    const slow = [await createTeam('slow'), await createTeam('slower')];
    const other = await createTeam('other');
    const uploads = slow.flatMap((team) => Array.from({ length: 36 }, () => trickle(team, path)));
    await expect.poll(async () => (await openSpoolFiles()).length).toBe(72);
    const beyond = await uploadLarge(slow[0]!, 'beyond.js');
    expect(beyond.status).toBe(503);
    let ended = 0;
    for (const { response } of uploads) void response.then(() => ended++);
    expect((await uploadLarge(other)).status).toBe(201);
    // It did not wait for the other slow uploads.
    expect(ended).toBeLessThan(uploads.length / 2);
    expect(await Promise.race(uploads.map(({ response }) => response))).toMatch(
      /^HTTP\/1\.1 503 [^]*retry-after: \d+[^]*"code":"overloaded"/i,
    );
    for (const { leave } of uploads) leave();
    expect(server.errorLog()).toEqual([]);
  });
});

test.skipIf(process.platform !== 'linux')(
  'aborted and rejected uploads leave no temporary file and no blob',
  async () => {
    await start();
    const team = await createTeam('shop');
    const uploads = Array.from({ length: 6 }, () => trickle(team));
    await expect.poll(async () => (await openSpoolFiles()).length).toBe(6);
    for (const { leave } of uploads) leave();
    await expect.poll(openSpoolFiles).toEqual([]);

    // The file is whole, but not a map, or the form has an unknown field after it.
    const notMap = new FormData();
    notMap.set('file', new Blob(['{"version":3,', ' '.repeat(mib)]), 'not.js.map');
    const unknown = new FormData();
    unknown.set('file', new Blob([Buffer.concat([...largeMap(mib)])]), 'large.js.map');
    unknown.set('unknown', 'x');
    for (const body of [notMap, unknown]) {
      const path = `projects/${team.projectId}/source-maps`;
      expect((await server.call('POST', path, { token: team.token, body })).status).toBe(422);
    }
    expect((await uploadLarge(team)).status).toBe(201);

    expect(await openSpoolFiles()).toEqual([]);
    expect(await temporaryFiles()).toEqual([]);
    const files = await readdir(storageFolder, { recursive: true });
    expect(files.filter((file) => file.includes('map-'))).toHaveLength(1);
    expect(server.errorLog()).toEqual([]);
  },
);

test.skipIf(process.platform !== 'linux')(
  'a server that is killed during an upload leaves no temporary file',
  async () => {
    await start();
    const team = await createTeam('shop');
    const { leave } = trickle(team);
    await expect.poll(async () => (await openSpoolFiles()).length).toBe(1);
    await server.kill();
    leave();
    expect(await temporaryFiles()).toEqual([]);
  },
);
