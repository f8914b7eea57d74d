import { createHash } from 'node:crypto';
import type { GroupDetails, Page, SourceMap } from '@service/protocol';
import { expect, test } from 'vitest';
import { addMember, createPersonalToken } from '../accounts/members.ts';
import { envelopeOf, event, postEnvelope } from '../sentry-intake/sentry-client.ts';
import { describeInMemory, describeService, type TestService } from '../test-utils/describe-service.ts';
import { bundleFile, type ZipEntry } from './zip.ts';

const organization = '/api/0/organizations/acme';
const debugId = '0d3c81a9-7f5e-4b6a-9d2f-1c5e8a7b6d4f';
/** A map with one mapping, from line 1 and column 1 to line 3 of `cart.ts`. */
const map = JSON.stringify({
  version: 3,
  file: 'cart.js',
  sources: ['src/cart.ts'],
  sourcesContent: ['// one\n// two\nthrow new Error("cart");\n'],
  names: [],
  mappings: 'AAEA',
});

function manifestOf(files: object, more: object = {}): ZipEntry {
  return { name: 'manifest.json', content: JSON.stringify({ files, ...more }) };
}

const script = {
  type: 'minified_source',
  url: '~/static/cart.js',
  headers: { 'debug-id': debugId, Sourcemap: 'cart.js.map' },
};
const sourceMap = { type: 'source_map', url: '~/static/cart.js.map', headers: { 'debug-id': debugId } };
const files = { 'files/_/_/static/cart.js': script, 'files/_/_/static/cart.js.map': sourceMap };
const goodBundle = bundleFile([
  { name: 'files/_/_/static/cart.js', content: 'throw 1' },
  { name: 'files/_/_/static/cart.js.map', content: map },
  manifestOf(files, { release: 'shop@1' }),
]);

const sha1 = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex');

interface State {
  state: string;
  missingChunks: string[];
  detail: string | null;
}

function uploadChunk({ call }: TestService, chunk: Uint8Array, name = sha1(chunk)): Promise<{ status: number }> {
  const form = new FormData();
  form.set('file', new Blob([chunk as Uint8Array<ArrayBuffer>]), name);
  return call('POST', `${organization}/chunk-upload/`, { body: form });
}

async function assemble({ call }: TestService, body: object): Promise<State> {
  const { text } = await call('POST', `${organization}/artifactbundle/assemble/`, { body });
  return JSON.parse(text) as State;
}

/** Uploads a bundle in chunks of a size, as tools do: they ask first. */
async function upload(service: TestService, bundle: Buffer, chunkBytes = 8_000_000, more = {}): Promise<State> {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bundle.length; at += chunkBytes) chunks.push(bundle.subarray(at, at + chunkBytes));
  const body = { checksum: sha1(bundle), chunks: chunks.map(sha1), projects: ['shop'], ...more };
  const first = await assemble(service, body);
  if (first.state !== 'not_found') return first;
  for (const chunk of chunks) if (first.missingChunks.includes(sha1(chunk))) await uploadChunk(service, chunk);
  return assemble(service, body);
}

async function mapsOf({ call, project }: TestService): Promise<SourceMap[]> {
  return (await call<Page<SourceMap>>('GET', `projects/${project.id}/source-maps`)).body.items;
}

describeService('an artifact bundle', (start) => {
  test('is assembled from its chunks, and its maps resolve frames by their debug id', async () => {
    const service = await start();
    expect(await upload(service, goodBundle, 200)).toEqual({ state: 'ok', missingChunks: [], detail: null });
    expect(await mapsOf(service)).toMatchObject([
      { file: 'cart.js', release: 'shop@1', url: '~/static/cart.js', debug_id: debugId },
    ]);
    const frame = { filename: 'https://cdn.example/cart-9f.js', function: 'x', lineno: 1, colno: 1 };
    const sent = event({
      exception: { values: [{ type: 'Error', value: 'cart', stacktrace: { frames: [frame] } }] },
      debug_meta: { images: [{ type: 'sourcemap', code_file: frame.filename, debug_id: debugId }] },
      request: { url: 'https://cdn.example/' },
    });
    expect((await postEnvelope(service, envelopeOf([sent]))).status).toBe(200);
    const { body } = await service.call<GroupDetails>('GET', 'errors/1');
    expect(body.culprit).toBe('src/cart.ts');
    expect(body.latest_report?.frames[0]).toMatchObject({ file: 'src/cart.ts', line: 3, resolved: true });
  });
});

describeInMemory('tools of Sentry', (start) => {
  test('upload a bundle once, and again after its maps were deleted', async () => {
    const service = await start();
    await upload(service, goodBundle);
    const body = { checksum: sha1(goodBundle), chunks: [sha1(goodBundle)], projects: ['1'] };
    expect((await assemble(service, body)).state).toBe('ok');
    const [stored] = await mapsOf(service);
    await service.call('DELETE', `projects/1/source-maps/${stored?.id}`);
    expect(await assemble(service, body)).toMatchObject({ state: 'not_found', missingChunks: body.chunks });
  });

  test('can pass a release that the manifest lacks, and URLs that only contain a debug id are ignored', async () => {
    const service = await start();
    const plugin = {
      'a.js': { ...script, url: `~/${debugId}-0.js`, headers: { sourcemap: `${debugId}-0.js.map` } },
      'a.map': { ...sourceMap, url: `~/${debugId}-0.js.map` },
    };
    const bundle = bundleFile([manifestOf(plugin), { name: 'a.map', content: map }]);
    expect((await upload(service, bundle, 8_000, { version: 'shop@2' })).state).toBe('ok');
    expect(await mapsOf(service)).toMatchObject([{ release: 'shop@2', url: null, debug_id: debugId }]);
  });

  test('can name a project by id, name or short name, and get the existing names for an unknown project', async () => {
    const service = await start();
    await service.call('POST', 'projects', { body: { name: 'My Second Shop!' } });
    for (const name of ['2', 'My Second Shop!', 'my-second-shop'])
      expect((await upload(service, goodBundle, 9_000, { projects: [name] })).state).toBe('ok');
    const body = { checksum: sha1(goodBundle), chunks: [sha1(goodBundle)], projects: ['other'] };
    const { status, text } = await service.call('POST', `${organization}/artifactbundle/assemble/`, { body });
    expect(status).toBe(422);
    expect(text).toContain('1 (Shop), 2 (My Second Shop!)');
    expect(text).not.toContain('other');
  });

  test('get the responses that they need about releases', async () => {
    const { call } = await start();
    const json = async (method: string, path: string, body?: object): Promise<unknown> => {
      const { status, text } = await call(method, path, { body });
      return [status, (JSON.parse(text) as { version?: string }).version];
    };
    expect(await json('GET', '/api/0/')).toEqual([200, '0']);
    expect(await json('POST', `${organization}/releases/`, { version: 'a@1', projects: ['x'] })).toEqual([201, 'a@1']);
    expect(await json('PUT', `${organization}/releases/a%401/`, { dateReleased: 'x' })).toEqual([200, 'a@1']);
    expect(await json('PUT', '/api/0/projects/acme/shop/releases/a@1/', {})).toEqual([200, 'a@1']);
    expect(await json('GET', `${organization}/releases/a@1/deploys/`)).toEqual([404, undefined]);
    const deploy = await call('POST', `${organization}/releases/a@1/deploys/`, { body: { environment: 'production' } });
    expect([deploy.status, JSON.parse(deploy.text)]).toMatchObject([201, { environment: 'production' }]);
    expect(await json('POST', `${organization}/releases/a@1/files/`, {})).toEqual([404, undefined]);
    const optionsFor = async (tool: string): Promise<unknown> =>
      JSON.parse((await call('GET', `${organization}/chunk-upload/`, { headers: { 'user-agent': tool } })).text);
    const url = 'organizations/acme/chunk-upload/';
    expect(await optionsFor('sentry-cli/3.8.0')).toMatchObject({ url, hashAlgorithm: 'sha1' });
    expect(await optionsFor('other/1')).toMatchObject({ url: expect.stringMatching(`^http://[^/]+/api/0/${url}$`) });
  });

  test('need a token that may upload source maps', async () => {
    const service = await start();
    const { token } = await createPersonalToken(service.call);
    const requests = [
      ['GET', `${organization}/chunk-upload/`],
      ['POST', `${organization}/chunk-upload/`],
      ['POST', `${organization}/artifactbundle/assemble/`],
      ['POST', `${organization}/releases/`],
      ['PUT', `${organization}/releases/1/`],
      ['POST', `${organization}/releases/1/deploys/`],
    ] as const;
    for (const [method, path] of requests) {
      expect((await service.call(method, path, { token: null })).status, path).toBe(401);
      expect((await service.call(method, path, { token: 'pat_wrong' })).status, path).toBe(401);
    }
    expect((await service.call('GET', `${organization}/chunk-upload/`, { token })).status).toBe(200);
    const viewer = await addMember(service.call, 'vic@shop.example', 'viewer');
    for (const [method, path] of requests)
      expect((await service.call(method, path, { token: viewer.token })).status, path).toBe(403);
  });
});

describeInMemory('a bundle that can’t be stored', (start) => {
  const error = (detail: RegExp): object => ({ state: 'error', detail: expect.stringMatching(detail) });

  test('gets an error response with the reason', async () => {
    const service = await start();
    const unreadable = error(/not a readable artifact bundle/);
    const broken = (change: (bytes: Buffer) => void): Buffer => {
      const bytes = Buffer.from(goodBundle);
      change(bytes);
      return bytes;
    };
    const withMap = (content: string, claimedSize?: number): Buffer =>
      bundleFile([
        manifestOf(files),
        { name: 'files/_/_/static/cart.js.map', content, ...(claimedSize !== undefined && { claimedSize }) },
      ]);
    const cases: [string, Buffer, object][] = [
      ['no archive', Buffer.from('hello'), unreadable],
      ['half an archive', goodBundle.subarray(0, goodBundle.length / 2), unreadable],
      [
        'a directory outside of the file',
        broken((bytes) => bytes.fill(0xff, bytes.length - 6, bytes.length - 2)),
        unreadable,
      ],
      ['no manifest', bundleFile([{ name: 'a', content: 'b' }]), unreadable],
      ['a manifest that is no JSON', bundleFile([{ name: 'manifest.json', content: '{' }]), unreadable],
      ['a huge manifest', bundleFile([{ name: 'manifest.json', content: '{}', claimedSize: 2 ** 31 }]), unreadable],
      ['files with long names', longNames(), unreadable],
      ['no maps', bundleFile([manifestOf({})]), error(/has no source maps/)],
      [
        'a list of files',
        bundleFile([{ name: 'manifest.json', content: '{"files":[null,7]}' }]),
        error(/no source maps/),
      ],
      [
        'a path out of the folder',
        bundleFile([manifestOf({ '../../etc/passwd': sourceMap })]),
        error(/no source maps/),
      ],
      ['no source map', withMap('no map'), error(/1 of 1 source maps can't be read/)],
      ['a map larger than it claims', withMap(map, 10), error(/1 of 1 source maps can't be read/)],
      ['a map larger than allowed', withMap(map, 100 * 2 ** 20), error(/1 of 1 source maps can't be read/)],
      ['maps that are too large together', withMap(map, 2 ** 31), error(/too large together/)],
    ];
    for (const [name, bundle, expected] of cases) expect(await upload(service, bundle), name).toMatchObject(expected);
    expect(await mapsOf(service)).toEqual([]);
    expect((await upload(service, goodBundle)).state).toBe('ok');
  });

  test('gets an error for a wrong checksum, and a chunk with a wrong name is rejected', async () => {
    const service = await start();
    expect((await uploadChunk(service, goodBundle, '0'.repeat(40))).status).toBe(400);
    expect((await uploadChunk(service, goodBundle)).status).toBe(200);
    const body = { checksum: '0'.repeat(40), chunks: [sha1(goodBundle)], projects: ['shop'] };
    expect(await assemble(service, body)).toMatchObject(error(/checksum/));
  });

  test('is incomplete if only another team has uploaded its chunks', async () => {
    const service = await start({ registration: 'open' });
    expect((await uploadChunk(service, goodBundle)).status).toBe(200);
    const { token } = await newTeam(service);
    const { body: project } = await service.call('POST', 'projects', { token, body: { name: 'Other' } });
    const body = { checksum: sha1(goodBundle), chunks: [sha1(goodBundle)], projects: [String(project.id)] };
    const { text } = await service.call('POST', `${organization}/artifactbundle/assemble/`, { token, body });
    expect(JSON.parse(text)).toMatchObject({ state: 'not_found' });
  });
});

/** An archive with names of 20 MB. */
function longNames(): Buffer {
  const name = 'n'.repeat(60_000);
  return bundleFile([
    ...Array.from({ length: 340 }, (_, index) => ({ name: `${index}${name}`, content: '' })),
    manifestOf(files),
  ]);
}

async function newTeam({ call }: TestService): Promise<{ token: string }> {
  const body = { email: 'eve@other.example', password: 'correct horse battery', name: 'Eve' };
  const { status, body: tokens } = await call<{ access_token: string }>('POST', 'auth/register', { token: null, body });
  expect(status).toBe(201);
  return { token: tokens.access_token };
}
