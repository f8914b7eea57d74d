import type { ListedSourceMap, Page, SourceMap } from '@service/protocol';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SourceMapGenerator } from 'source-map';
import { expect, test } from 'vitest';
import {
  describeInMemory,
  describeService,
  describeShared,
  temporaryFolder,
  type TestResponse,
  type TestService,
} from '../test-utils/describe-service.ts';

const lines = Array.from({ length: 28 }, (_, index) => `const line${index + 2} = ${index + 2};`);
const source = ['class Cart { total() {', ...lines, '} }'].join('\n');
const script = 'https://shop.example/assets/app-3f2a.js';
const stack = `TypeError: total is undefined\n    at a (${script}:1:100)\n    at b (${script}:1:200)`;

/** A map with two positions: 1:100 is src/cart.ts:12:3, 1:200 is src/main.ts:2:1. */
function sourceMap(fields: object = {}): string {
  const generator = new SourceMapGenerator({ file: 'app-3f2a.js' });
  generator.addMapping({ generated: { line: 1, column: 0 }, original: { line: 1, column: 0 }, source: 'src/main.ts' });
  generator.addMapping({
    generated: { line: 1, column: 95 },
    original: { line: 12, column: 2 },
    source: 'src/cart.ts',
  });
  generator.addMapping({
    generated: { line: 1, column: 190 },
    original: { line: 2, column: 0 },
    source: 'src/main.ts',
  });
  generator.setSourceContent('src/cart.ts', source);
  return JSON.stringify({ ...generator.toJSON(), ...fields });
}

function section(line: number, mappings: string) {
  return { offset: { line, column: 0 }, map: { version: 3, sources: ['a.ts'], names: [], mappings } };
}

function upload(
  { call }: TestService,
  map: string,
  { name = 'app-3f2a.js.map', ...fields }: { name?: string; release?: string; url?: string } = {},
): Promise<TestResponse<SourceMap & { code?: string; detail?: string }>> {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set('file', new Blob([map]), name);
  return call('POST', 'projects/1/source-maps', { body: form });
}

describeService('source maps', (start) => {
  test('an uploaded map resolves the frames of later and earlier reports', async () => {
    const service = await start();
    await service.report({ stacktrace: stack, release: '1.0' });
    const { status, body } = await upload(service, sourceMap({ debugId: '85314830-023f-4cf1-a267-535f4e37bb17' }), {
      release: '1.0',
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: 1,
      file: 'app-3f2a.js',
      release: '1.0',
      url: null,
      debug_id: '85314830-023f-4cf1-a267-535f4e37bb17',
      size: expect.any(Number),
      sources: 2,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      created_at: expect.stringMatching(/Z$/),
    });
    const { body: group } = await service.call('GET', 'errors/1');
    expect(group.latest_report?.frames).toEqual([
      {
        function: 'Cart.total',
        file: 'src/cart.ts',
        line: 12,
        column: 3,
        in_app: true,
        resolved: true,
        context: Array.from({ length: 11 }, (_, index) => ({
          line: index + 7,
          text: `const line${index + 7} = ${index + 7};`,
        })),
        raw: { function: 'a', file: script, line: 1, column: 100 },
      },
      // The map does not contain its source, so the name is the one that the browser reported.
      expect.objectContaining({ function: 'b', file: 'src/main.ts', line: 2, column: 1, resolved: true, context: [] }),
    ]);
    await service.report({ stacktrace: stack, release: '1.0' });
    const { body: groups } = await service.call('GET', 'errors');
    expect(groups.items?.[0]?.culprit).toBe('Cart.total (src/cart.ts)');
    await expect
      .poll(
        async () =>
          (await service.call<Page<ListedSourceMap>>('GET', 'projects/1/source-maps')).body.items[0]?.last_used_at,
      )
      .toMatch(/Z$/);
  });

  test('the same map again replaces the first, and a restart keeps it', async () => {
    const service = await start();
    await upload(service, sourceMap(), { release: '1.0' });
    const again = await upload(service, sourceMap(), { release: '1.0' });
    expect([again.status, again.body.id]).toEqual([200, 1]);
    expect((await upload(service, sourceMap(), { release: '1.1' })).body.id).toBe(2);
    if (service.service.storage.name !== 'memory:') await service.restart();
    const { body } = await service.call<Page<ListedSourceMap>>('GET', 'projects/1/source-maps');
    expect(body.items.map(({ id }) => id)).toEqual([2, 1]);
    expect(
      (await service.call<Page<ListedSourceMap>>('GET', 'projects/1/source-maps?release=1.0')).body.items,
    ).toHaveLength(1);
    await service.report({ stacktrace: stack, release: '1.1' });
    expect((await service.call('GET', 'errors/1')).body.latest_report?.frames[0]?.resolved).toBe(true);
  });

  test('concurrent uploads of equal maps store one map', async () => {
    const service = await start();
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => upload(service, sourceMap(), { release: '1.0' })),
    );
    expect(new Set(responses.map(({ body }) => body.id))).toEqual(new Set([1]));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect((await service.call('GET', 'projects/1/source-maps')).body.total).toBe(1);
  });

  test('the file of a frame may have the name of a property of JavaScript objects', async () => {
    const service = await start();
    await upload(service, sourceMap({ debugId: '85314830-023f-4cf1-a267-535f4e37bb17' }), { name: 'constructor.map' });
    for (const file of ['constructor', '__proto__', 'toString']) {
      expect(
        (await service.report({ stacktrace: `Error: x\n    at f (${file}:1:2)`, debug_ids: { a: 'b' } })).status,
      ).toBe(200);
    }
  });

  test('a map is stored once, and replaced, deleted or rejected maps leave no blob', async () => {
    const folder = await temporaryFolder();
    const service = await start({ storage: `file:${folder}` });
    const stored = (): Promise<string[]> => readdir(join(folder, 'blobs'));
    await upload(service, sourceMap(), { release: '1.0' });
    const [first] = await stored();
    const { body: before } = await upload(service, sourceMap({ file: 'other.js' }), { release: '1.0' });
    const after = await stored();
    expect(after).toHaveLength(1);
    expect(after).not.toContain(first);
    expect(before.id).toBe(1);

    expect((await upload(service, 'no map', { release: '1.0' })).status).toBe(422);
    expect((await upload(service, sourceMap(), { name: `${'n'.repeat(300)}.map` })).status).toBe(422);
    expect((await upload(service, sourceMap(), { release: 'r'.repeat(201) })).status).toBe(422);
    const late = new FormData();
    late.set('file', new Blob([sourceMap()]), 'app.js.map');
    late.set('color', 'red');
    expect((await service.call('POST', 'projects/1/source-maps', { body: late })).status).toBe(422);
    await expect.poll(stored).toEqual(after);

    expect((await service.call('DELETE', 'projects/1/source-maps/1')).status).toBe(204);
    expect(await stored()).toEqual([]);
  });

  test('equal maps share a blob, which the last deletion removes', async () => {
    const folder = await temporaryFolder();
    const service = await start({ storage: `file:${folder}` });
    const stored = (): Promise<string[]> => readdir(join(folder, 'blobs'));
    const { body: blog } = await service.call('POST', 'projects', { body: { name: 'Blog' } });
    const form = new FormData();
    form.set('file', new Blob([sourceMap()]), 'app-3f2a.js.map');
    expect((await service.call('POST', `projects/${blog.id}/source-maps`, { body: form })).status).toBe(201);
    const uploads = ['1.0', '1.1', '1.2'].map((release) => upload(service, sourceMap(), { release }));
    expect((await Promise.all(uploads)).map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(await stored()).toHaveLength(1);
    const resolved = async (fields: object = {}): Promise<boolean | undefined> => {
      const { body } = await service.report({ stacktrace: stack, ...fields });
      return (await service.call('GET', `errors/${body.error_group_id}`)).body.latest_report?.frames[0]?.resolved;
    };
    const [sharedBlob] = await stored();

    // One map is replaced by a different map, one by an equal map, one is deleted, and one is deleted with its project.
    expect((await upload(service, sourceMap({ file: 'other.js' }), { release: '1.0' })).status).toBe(200);
    expect(await stored()).toHaveLength(2);
    expect((await upload(service, sourceMap(), { release: '1.1' })).status).toBe(200);
    expect(await stored()).toHaveLength(2);
    expect((await service.call('DELETE', `projects/${blog.id}`)).status).toBe(204);
    expect(await stored()).toContain(sharedBlob);
    expect(await resolved({ release: '1.2' })).toBe(true);
    const { body } = await service.call<Page<ListedSourceMap>>('GET', 'projects/1/source-maps?release=1.2');
    expect((await service.call('DELETE', `projects/1/source-maps/${body.items[0]?.id}`)).status).toBe(204);
    expect(await resolved({ release: '1.1' })).toBe(true);
    expect(await stored()).toHaveLength(2);
    expect((await service.call('DELETE', 'projects/1')).status).toBe(204);
    expect(await stored()).toEqual([]);
  });

  test("code in the ignore list of a map is not the app's", async () => {
    const service = await start();
    for (const field of ['ignoreList', 'x_google_ignoreList']) {
      await upload(service, sourceMap({ [field]: [1, 'x', -1, [0], 1e9] }), { release: '1.0' });
      const { body } = await service.report({ stacktrace: stack, release: '1.0' });
      const { body: group } = await service.call('GET', `errors/${body.error_group_id}`);
      expect(group.latest_report?.frames).toMatchObject([
        { file: 'src/cart.ts', in_app: false, resolved: true },
        { file: 'src/main.ts', in_app: true, resolved: true },
      ]);
    }
  });

  test('a deleted map is no longer listed or used', async () => {
    const service = await start();
    await upload(service, sourceMap(), { release: '1.0' });
    expect((await service.call('DELETE', 'projects/1/source-maps/1')).status).toBe(204);
    expect((await service.call('DELETE', 'projects/1/source-maps/1')).body.code).toBe('source_map_not_found');
    await service.report({ stacktrace: stack, release: '1.0' });
    expect((await service.call('GET', 'errors/1')).body.latest_report?.frames[0]?.resolved).toBe(false);
  });
});

describeInMemory('the map that resolves a frame', (start) => {
  async function resolves(
    uploads: { fields?: object; release?: string; url?: string; name?: string }[],
    report: object,
  ): Promise<string | null> {
    const service = await start();
    for (const { fields = {}, ...rest } of uploads)
      expect((await upload(service, sourceMap(fields), rest)).status).toBe(201);
    await service.report({ stacktrace: stack, release: '1.0', ...report });
    const frame = (await service.call('GET', 'errors/1')).body.latest_report?.frames[0];
    return frame?.resolved ? frame.file : null;
  }
  const named = (name: string): object => ({ sources: ['src/main.ts', name] });
  const id = '85314830-023f-4cf1-a267-535f4e37bb17';
  const other = '11111111-023f-4cf1-a267-535f4e37bb17';

  test('a map is selected by debug id first, whatever its name and release', async () => {
    const uploads = [
      { fields: named('by-name.ts'), release: '1.0' },
      { fields: { ...named('by-id.ts'), debugId: id }, name: 'other.js.map' },
    ];
    expect(await resolves(uploads, { debug_ids: { [script]: id } })).toBe('by-id.ts');
  });

  test('without a debug id, a map is selected by release and URL, then by release and file name', async () => {
    const byUrl = { fields: named('by-url.ts'), release: '1.0', url: script, name: 'x.js.map' };
    const byPath = { fields: named('by-path.ts'), release: '1.0', url: '~/assets/app-3f2a.js', name: 'y.js.map' };
    const byName = { fields: named('by-name.ts'), release: '1.0' };
    expect(await resolves([byUrl, byName], {})).toBe('by-url.ts');
    expect(await resolves([byPath, byName], {})).toBe('by-path.ts');
    expect(await resolves([byName], {})).toBe('by-name.ts');
  });

  test('a map without a release is the last choice, and one of another release is never used', async () => {
    expect(await resolves([{ fields: named('any.ts') }], {})).toBe('any.ts');
    expect(await resolves([{ fields: named('other.ts'), release: '2.0' }], {})).toBeNull();
  });

  test('a map of another build is skipped', async () => {
    expect(
      await resolves([{ fields: { debugId: other }, release: '1.0' }], { debug_ids: { [script]: id } }),
    ).toBeNull();
  });

  const second = { fields: named('by-name.ts'), release: '1.0' };

  test('a map without a debug id does not replace one with a debug id for the same release and file', async () => {
    const withId = { fields: { ...named('by-id.ts'), debugId: id }, release: '1.0' };
    const report = { debug_ids: { [script]: id } };
    expect(await resolves([withId, second], report)).toBe('by-id.ts');
    expect(
      await resolves(
        [
          { ...withId, url: script },
          { ...second, url: script },
        ],
        report,
      ),
    ).toBe('by-id.ts');
  });

  test('a map without a URL does not replace one with a URL for the same release and file', async () => {
    const withUrl = { fields: named('by-url.ts'), release: '1.0', url: script };
    expect(await resolves([withUrl, second], {})).toBe('by-url.ts');
    expect(await resolves([second, withUrl], {})).toBe('by-url.ts');
  });

  test('by file name, a map without a URL takes precedence over one with another URL', async () => {
    const elsewhere = { fields: named('admin.ts'), release: '1.0', url: '~/admin/app-3f2a.js' };
    expect(await resolves([second, elsewhere], {})).toBe('by-name.ts');
    expect(await resolves([elsewhere], {})).toBe('admin.ts');
  });

  test('a map without a debug id is used if the newest one is of another build', async () => {
    const otherBuild = { fields: { ...named('other.ts'), debugId: other }, release: '1.0' };
    const report = { debug_ids: { [script]: id } };
    expect(await resolves([second, otherBuild], report)).toBe('by-name.ts');
    expect(await resolves([otherBuild, second], report)).toBe('by-name.ts');
  });

  test('the name of a map has no half of a surrogate pair, not even from an escape in `file`', async () => {
    const service = await start();
    const { body } = await upload(service, sourceMap({ file: 'app\ud83d.js', debugId: 'id\ude00' }), { name: '.map' });
    expect(body).toMatchObject({ file: 'app\ufffd.js', debug_id: 'id\ufffd' });
  });

  test('a map belongs to one project only', async () => {
    const service = await start();
    await upload(service, sourceMap());
    const { body } = await service.call('POST', 'projects', { body: { name: 'Blog' } });
    await service.report({ project_api_key: body.api_key, stacktrace: stack });
    expect((await service.call('GET', 'errors/1')).body.latest_report?.frames[0]?.resolved).toBe(false);
  });
});

describeShared('the content and the form of an upload', (service) => {
  test.each([
    ['the script itself', 'console.log(1)'],
    ['a list', '[]'],
    ['another version', sourceMap({ version: 2 })],
    ['no mappings', sourceMap({ mappings: 5 })],
    ['sources that are no names', sourceMap({ sources: [1] })],
    ['no sources', sourceMap({ sources: 'src' })],
    ['mappings that can not be decoded', sourceMap({ mappings: '!!!!' })],
    ['sections of nothing', JSON.stringify({ version: 3, sections: [{}] })],
    [
      'a second section that can not be decoded',
      JSON.stringify({ version: 3, sections: [section(0, 'AAAA'), section(5, '!!!!')] }),
    ],
    ['a section without an offset', JSON.stringify({ version: 3, sections: [{ map: section(0, 'AAAA').map }] })],
    ['a debug id without end', sourceMap({ debugId: 'x'.repeat(1_000) })],
    ['too many sources', sourceMap({ sources: Array.from({ length: 100_001 }, () => 'a') })],
  ])('rejects %s, with the reason', async (_, map) => {
    const { status, body } = await upload(service(), map);
    expect([status, body.code]).toEqual([422, 'invalid_source_map']);
    expect(body.detail).toMatch(/^The file is not a valid source map\. .+[.?]$/);
  });

  test('accepts the prefix that prevents execution as a script, and index maps', async () => {
    expect((await upload(service(), `)]}'\n${sourceMap()}`)).status).toBe(201);
    const index = JSON.stringify({
      version: 3,
      sections: [{ offset: { line: 0, column: 0 }, map: JSON.parse(sourceMap()) as object }],
    });
    expect((await upload(service(), sourceMap({ file: undefined }), { name: '.map' })).body.file).toBe('unnamed');
    expect((await upload(service(), index, { name: 'index.js.map' })).body).toMatchObject({
      file: 'index.js',
      sources: 2,
    });
  });

  test('rejects each kind of broken form with its own error', async () => {
    const { call } = service();
    const send = async (body: string, type: string) => {
      const response = await call('POST', 'projects/1/source-maps', { body, headers: { 'content-type': type } });
      return [response.status, response.body.code];
    };
    const part = (name: string, more = ''): string =>
      `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\nvalue\r\n`;
    expect(await send('{}', 'application/json')).toEqual([415, 'unsupported_media_type']);
    expect(await send('nothing', 'multipart/form-data')).toEqual([400, 'malformed_multipart']);
    expect(await send('nothing', 'multipart/form-data; boundary=x')).toEqual([400, 'malformed_multipart']);
    expect(await send(part('file', '; filename="a.map"'), 'multipart/form-data; boundary=x')).toEqual([
      400,
      'malformed_multipart',
    ]);
    expect(await send(`${part('release')}--x--\r\n`, 'multipart/form-data; boundary=x')).toEqual([
      422,
      'validation_failed',
    ]);
    expect(await send(`${part('color')}--x--\r\n`, 'multipart/form-data; boundary=x')).toEqual([
      422,
      'validation_failed',
    ]);
    expect(await send(`${part('file')}--x--\r\n`, 'multipart/form-data; boundary=x')).toEqual([
      422,
      'validation_failed',
    ]);
    const nameless = '--x\r\nContent-Disposition: form-data; filename="a.map"\r\n\r\n{}\r\n--x--\r\n';
    expect(await send(nameless, 'multipart/form-data; boundary=x')).toEqual([422, 'validation_failed']);
    const bare = '--x\r\nContent-Disposition: form-data\r\n\r\n{}\r\n--x--\r\n';
    expect(await send(bare, 'multipart/form-data; boundary=x')).toEqual([422, 'validation_failed']);
    const twice = part('file', '; filename="a.map"').repeat(2);
    expect(await send(`${twice}--x--\r\n`, 'multipart/form-data; boundary=x')).toEqual([422, 'validation_failed']);
    expect(await send('', 'multipart/form-data; boundary=x')).toEqual([400, 'malformed_multipart']);
  });

  test.each([
    ['x', 201],
    ['"x"', 201],
    ['"a b"', 201],
    ['x; charset=utf-8', 201],
    ['', 400],
    ['""', 400],
    ['"a\\"b"', 400],
    ['x\u00e4', 400],
    ['x'.repeat(70), 201],
    ['x'.repeat(71), 400],
    ['x'.repeat(300), 400],
  ])('responds to the boundary %s with %i', async (boundary, status) => {
    const { call } = service();
    const delimiter = /^"?([^";]*)/.exec(boundary)?.[1] ?? '';
    const body = `--${delimiter}\r\nContent-Disposition: form-data; name="file"; filename="boundary.js.map"\r\n\r\n${sourceMap()}\r\n--${delimiter}--\r\n`;
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
    const response = await call('POST', 'projects/1/source-maps', { body, headers });
    // The same map again responds with 200.
    expect(response.status === 200 ? 201 : response.status).toBe(status);
  });

  test('ignores a boundary within another parameter', async () => {
    const headers = { 'content-type': 'multipart/form-data; a="; boundary=x"' };
    const response = await service().call('POST', 'projects/1/source-maps', { body: 'nothing', headers });
    expect([response.status, response.body.code]).toEqual([400, 'malformed_multipart']);
  });
});
