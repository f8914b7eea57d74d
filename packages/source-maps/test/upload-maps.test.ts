import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ApiClient, ApiError, UnreachableError } from '@service/api-client';
import type { PositionResolution } from '@service/protocol';
import { transform } from 'esbuild';
import { createService, type Service } from '@service/server';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findScripts, writeDebugId, uploadMaps, type UploadResult } from '../src/index.ts';

const token = 'test-admin-token-0123456789';
let folder: string;
let service: Service;
let api: ApiClient;
let projectId: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'source-maps-'));
  service = await createService({ storage: 'memory:', adminToken: token, port: 0, logLevel: 'silent' });
  const { url } = await service.listen();
  api = new ApiClient({ endpoint: url, token, userAgent: 'test', retryDelaysMs: [] });
  ({ id: projectId } = await service.createProject({ name: 'Shop' }));
});

afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

async function write(name: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), text);
}

const sourceOf = (name: string): string => `
export function total(cart: { items: number[]; name: string }): number {
  const sum = cart.items.reduce((left, right) => left + right, 0);
  if (sum === 0) throw new Error('The cart ${name} is empty: ' + cart.name);
  return sum * 100;
}
document.title = String(total({ items: [1, 2, 3], name: '${name}' }));
`;

/** Writes a minified script and its map. */
async function build(
  name: string,
  sourcemap: 'external' | 'linked' | 'inline' = 'external',
  more = {},
): Promise<string> {
  const built = await transform(sourceOf(name), {
    loader: 'ts',
    minify: true,
    sourcefile: `src/${name}.ts`,
    sourcemap: sourcemap === 'inline' ? 'inline' : 'external',
    ...more,
  });
  await write(
    `${name}.js`,
    built.code + (sourcemap === 'linked' ? `//# sourceMappingURL=${name.split('/').at(-1)}.js.map\n` : ''),
  );
  if (sourcemap !== 'inline') await write(`${name}.js.map`, built.map);
  return built.map;
}

async function upload(release: string | null = '1', client = api): Promise<UploadResult[]> {
  return uploadMaps(client, await findScripts([folder]), { projectId, release, urlPrefix: '~/' });
}

/** Returns each result in one line. */
const summary = (results: UploadResult[]): string[] =>
  results.map((result) =>
    [
      `${result.script.name}:`,
      result.status === 'failed' ? result.code : result.status,
      ...('proof' in result ? [result.proof.file] : []),
    ].join(' '),
  );

async function storedMaps(): Promise<number> {
  return (await api.call<{ total: number }>('GET', `/projects/${projectId}/source-maps`)).total;
}

describe('uploadMaps', () => {
  test('uploads inline, linked and neighbouring maps, and proves each', async () => {
    await build('inline', 'inline');
    await build('assets/linked', 'linked');
    await build('assets/deep/pair');
    expect(summary(await upload())).toEqual([
      'assets/deep/pair.js: uploaded src/assets/deep/pair.ts',
      'assets/linked.js: uploaded src/assets/linked.ts',
      'inline.js: uploaded src/inline.ts',
    ]);
    expect(await storedMaps()).toBe(3);
  });

  test('skips maps that the server has for the same release', async () => {
    await build('a');
    await build('b');
    await upload();
    expect(summary(await upload())).toEqual(['a.js: unchanged src/a.ts', 'b.js: unchanged src/b.ts']);
    expect(summary(await upload('2'))).toEqual(['a.js: uploaded src/a.ts', 'b.js: uploaded src/b.ts']);
    expect(await storedMaps()).toBe(4);
  });

  test('uploads scripts of one name in two folders, each with its own map', async () => {
    await build('a/page');
    await build('b/page');
    expect(summary(await upload())).toEqual(['a/page.js: uploaded src/a/page.ts', 'b/page.js: uploaded src/b/page.ts']);
  });

  test('rejects scripts of one URL in two folders, unless they have debug ids', async () => {
    await build('a/app');
    await build('b/app');
    const uploadBoth = async (): Promise<UploadResult[]> =>
      uploadMaps(api, await findScripts([join(folder, 'a'), join(folder, 'b')]), {
        projectId,
        release: '1',
        urlPrefix: '~/',
      });
    for (const result of await uploadBoth())
      expect(result).toMatchObject({ code: 'not_proven', reason: expect.stringContaining('have the URL ~/app.js') });
    expect(await storedMaps()).toBe(0);
    for (const script of await findScripts([folder])) await writeDebugId(script);
    expect(summary(await uploadBoth())).toEqual(['app.js: uploaded src/a/app.ts', 'app.js: uploaded src/b/app.ts']);
  });

  test('uploads scripts under the URL that a browser reports, whatever their names are', async () => {
    const names = [
      'my app',
      'büro',
      '日本',
      '[id]',
      'a#b',
      'a%20b',
      'q&a+1',
      ...(process.platform === 'win32' ? [] : ['a?b']),
    ];
    for (const name of names) await build(name, 'external');
    expect((await upload()).filter(({ status }) => status !== 'uploaded')).toEqual([]);
    for (const name of names) {
      const { maps } = await api.call<PositionResolution>('GET', `/projects/${projectId}/resolution`, {
        query: { file: `https://shop.example/${encodeURIComponent(name)}.js`, line: 1, column: 1, release: '1' },
      });
      expect(maps[0]).toMatchObject({ file: `${name}.js`, why: 'release_url' });
    }
  });

  test('proves injected scripts by their debug id', async () => {
    await build('app', 'inline');
    await build('page', 'linked');
    for (const script of await findScripts([folder])) expect((await writeDebugId(script)).isChanged).toBe(true);
    for (const script of await findScripts([folder])) expect((await writeDebugId(script)).isChanged).toBe(false);
    const results = await upload(null);
    expect(summary(results)).toEqual(['app.js: uploaded src/app.ts', 'page.js: uploaded src/page.ts']);
    for (const result of results) expect(result).toMatchObject({ map: { debug_id: expect.stringMatching(/-8/) } });
  });

  test('names what is wrong with each map, and uploads the others', async () => {
    await build('good');
    await write('missing.js', 'total()');
    await write('gone.js', 'total()\n//# sourceMappingURL=gone.js.map');
    await write('broken.js', 'total()');
    await write('broken.js.map', '{"version":3,');
    await write('empty.js', 'total()');
    await write('empty.js.map', '{"version":3,"sources":["a.ts"],"sourcesContent":["a"],"mappings":""}');
    await write('generated.js', 'export {}');
    await write('generated.js.map', '{"version":3,"sources":[],"names":[],"mappings":";"}');
    await build('no-sources', 'external', { sourcesContent: false });
    const map = await build('other');
    const { code } = await transform(
      `${sourceOf('other')}${sourceOf('second').replaceAll('total', 'second')}`.replaceAll('reduce', 'reduceRight'),
      { loader: 'ts', minify: true },
    );
    await write('old.js', `console.log("another build of this script",1);${code}`);
    await write('old.js.map', map);
    const results = await upload();
    expect(summary(results)).toEqual([
      'broken.js: map_unreadable',
      'empty.js: map_unreadable',
      'generated.js: without_sources',
      'gone.js: map_missing',
      'good.js: uploaded src/good.ts',
      'missing.js: without_map',
      'no-sources.js: sources_missing',
      'old.js: other_build',
      'other.js: uploaded src/other.ts',
    ]);
    expect(await storedMaps()).toBe(2);
  });

  test('uploads a known map again if a newer one has precedence', async () => {
    await build('app');
    await upload();
    const [script] = await findScripts([folder]);
    if (script) await writeDebugId(script);
    // The second map has a debug id, so it does not replace the first one. It is found first by its URL.
    await upload();
    expect(await storedMaps()).toBe(2);
    await build('app');
    expect(summary(await upload())).toEqual(['app.js: uploaded src/app.ts']);
    expect(summary(await upload())).toEqual(['app.js: unchanged src/app.ts']);
    expect(await storedMaps()).toBe(2);
  });

  test('does not call a map uploaded that the server does not use', async () => {
    await build('app');
    /** Another user deletes the map before it is proven. */
    class ClientOfTwo extends ApiClient {
      override async call<Result>(...[method, path, request]: Parameters<ApiClient['call']>): Promise<Result> {
        const result = await super.call<Result>(method, path, request);
        if (method === 'POST') await api.call('DELETE', `${path}/${(result as { id: number }).id}`);
        return result;
      }
    }
    const [result] = await upload(
      '1',
      new ClientOfTwo({ endpoint: api.endpoint, token, userAgent: 'test', retryDelaysMs: [] }),
    );
    expect(result).toMatchObject({
      status: 'failed',
      code: 'not_proven',
      reason: expect.stringContaining('does not resolve'),
    });
  });

  test('rejects at once if the token is wrong, the project is unknown or the server cannot be reached', async () => {
    await build('app');
    const wrong = new ApiClient({ endpoint: api.endpoint, token: 'wrong', userAgent: 'test', retryDelaysMs: [] });
    await expect(upload('1', wrong)).rejects.toMatchObject({ name: 'ApiError', status: 401 });
    projectId = 999;
    await expect(upload()).rejects.toBeInstanceOf(ApiError);
    await service.close();
    await expect(upload()).rejects.toBeInstanceOf(UnreachableError);
  });
});
