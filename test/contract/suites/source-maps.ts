import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { Json } from '../api-call.ts';
import type { TestContext } from '../context.ts';
import { mapForm, type MapFormFields, sourceMap } from '../source-map-form.ts';
import type { Suite } from '../suite.ts';

const debugId = '85314830-023f-4cf1-a267-535f4e37bb17';

async function upload(context: TestContext, parts: MapFormFields = {}, status = 201): Promise<Json> {
  return context.send(status, 'POST', `projects/${await context.fixture('project')}/source-maps`, {
    body: mapForm(parts),
  });
}

/** Builds a map that resolves frames to `src/NAME.ts`, so that tests see which map was chosen. */
const named = (name: string, more: object = {}): object => ({ ...sourceMap, sources: [`src/${name}.ts`], ...more });

/** Posts a report with one frame in app.js and returns the file of this frame. */
async function topFrameFile(
  context: TestContext,
  fields: object = {},
  url = 'https://shop.example/app.js',
): Promise<string> {
  const stored = await context.storedReport({ stacktrace: `TypeError: x\n    at f (${url}:1:1)`, ...fields });
  return stored.frames[0].file;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Two functions that are on one line of the minified file: only the map distinguishes them. */
const twoFunctions = {
  ...sourceMap,
  sourcesContent: ['function add() { fail(); }\nfunction take() { fail(); }'],
  // 1:1 is in add, 1:101 in take.
  mappings: 'AAAiB,oGACC',
};

/** Builds a report from the minified bundle; the column selects one of the two functions. */
function bundleReport(column: 1 | 101, fields: object = {}): object {
  return {
    message: 'Cart is empty',
    type: 'Error',
    stacktrace: `Error: Cart is empty\n    at a (https://shop.example/app-3f2a9c1b.js:1:${column})`,
    ...fields,
  };
}

const bundleMap = { map: twoFunctions, name: 'app-3f2a9c1b.js.map', release: '1' };

/** The source maps of a project. */
export const sourceMaps: Suite = {
  name: 'source maps',
  tests: [
    {
      title: 'a source map can be uploaded, listed and deleted',
      covers: [
        'maps.upload',
        'maps.file',
        'maps.optional',
        'maps.list',
        'maps.last_used',
        'maps.delete',
        'maps.sources',
      ],
      async run(context) {
        const map = await upload(context, {
          release: '1.0.0',
          url: 'https://shop.example/app.js',
          map: named('a', { debug_id: debugId }),
        });
        expect(map).toEqual({
          id: expect.any(Number),
          file: 'app.js',
          release: '1.0.0',
          url: 'https://shop.example/app.js',
          debug_id: debugId,
          size: JSON.stringify(named('a', { debug_id: debugId })).length,
          sources: 1,
          hash: sha256(JSON.stringify(named('a', { debug_id: debugId }))),
          created_at: expect.stringMatching(/Z$/),
        });
        const bare = await upload(context, { name: 'vendor.min.js.map' });
        expect(bare).toMatchObject({ file: 'vendor.min.js', release: null, url: null, debug_id: null });
        const list = `projects/${await context.fixture('project')}/source-maps`;
        expect(await context.send(200, 'GET', list)).toEqual({
          items: [
            { ...bare, last_used_at: null },
            { ...map, last_used_at: null },
          ],
          total: 2,
          page: 1,
          size: 50,
          pages: 1,
        });
        expect((await context.send(200, 'GET', `${list}?size=1&page=2`)).items).toMatchObject([{ id: map.id }]);
        await context.send(204, 'DELETE', `${list}/${bare.id}`);
        expect((await context.send(200, 'GET', list)).total).toBe(1);
        expect(await context.outcome('DELETE', `${list}/${bare.id}`)).toBe('source_map_not_found');
      },
    },
    {
      title: 'release filters the list of source maps',
      covers: ['maps.list.release'],
      async run(context) {
        const a = await upload(context, { release: '1.0.0' });
        await upload(context, { release: '1.0' });
        await upload(context);
        const list = await context.send(
          200,
          'GET',
          `projects/${await context.fixture('project')}/source-maps?release=1.0.0`,
        );
        expect(list).toMatchObject({ total: 1, items: [{ id: a.id }] });
      },
    },
    {
      title: 'hash filters the list of source maps',
      covers: ['maps.list.hash'],
      async run(context) {
        const a = await upload(context, { map: named('a'), release: '1' });
        const again = await upload(context, { map: named('a'), release: '2' });
        const b = await upload(context, { map: named('b'), release: '1', name: 'b.js.map' });
        await upload(context, { map: named('c'), release: '3' });
        const list = `projects/${await context.fixture('project')}/source-maps`;
        expect(a.hash).toBe(again.hash);
        const ids = async (query: string): Promise<number[]> =>
          (await context.send(200, 'GET', `${list}?${query}`)).items.map(({ id }: Json) => id);
        expect(await ids(`hash=${a.hash}`)).toEqual([again.id, a.id]);
        expect(await ids(`hash=${a.hash}&hash=${b.hash}&release=1`)).toEqual([b.id, a.id]);
        expect(await ids(`hash=${sha256('unknown')}`)).toEqual([]);
        for (const query of ['hash=', 'hash=abc', `hash=${a.hash.toUpperCase()}`, `hash=${a.hash}&hash=abc`])
          expect(await context.outcome('GET', `${list}?${query}`)).toBe('validation_failed');
        const many = Array.from({ length: 51 }, (_, index) => `hash=${sha256(String(index))}`);
        expect(await context.outcome('GET', `${list}?${many.join('&')}`)).toBe('validation_failed');
        expect(await ids(many.slice(1).join('&'))).toEqual([]);
      },
    },
    {
      title: 'a position is resolved as a frame of a report is',
      covers: ['maps.position'],
      async run(context) {
        const map = await upload(context, { map: twoFunctions, release: '1', url: '~/assets/app.js' });
        const byId = await upload(context, { map: named('b', { debug_id: debugId }), name: 'other.js.map' });
        const path = `projects/${await context.fixture('project')}/resolution`;
        const file = 'https://cdn.example/assets/app.js';
        const query = `file=${encodeURIComponent(file)}&line=1&release=1`;
        expect(await context.send(200, 'GET', `${path}?${query}&column=105`)).toEqual({
          file,
          line: 1,
          column: 105,
          result: 'resolved',
          detail: {},
          maps: [{ id: map.id, file: 'app.js', release: '1', url: '~/assets/app.js', why: 'release_url' }],
          original: { file: 'src/cart.ts', line: 2, column: 19, text: 'function take() { fail(); }' },
        });
        expect(await context.send(200, 'GET', `${path}?${query}&column=1&debug_id=${debugId}`)).toMatchObject({
          maps: [{ id: byId.id, why: 'debug_id' }, { id: map.id }],
          original: { file: 'src/b.ts', line: 1, column: 1 },
        });
        const [listed] = (await context.send(200, 'GET', `projects/${await context.fixture('project')}/source-maps`))
          .items;
        expect(listed.last_used_at).toBeNull();
      },
    },
    {
      title: 'a position that no map resolves says why',
      covers: ['maps.position.unresolved', 'maps.position.input'],
      async run(context) {
        const path = `projects/${await context.fixture('project')}/resolution`;
        const resolved = (query: string): Promise<Json> => context.send(200, 'GET', `${path}?${query}`);
        const minified = `file=${encodeURIComponent('https://shop.example/app.js')}&line=1&column=2048`;
        expect(await resolved(minified)).toMatchObject({ result: 'no_maps_in_project', maps: [], original: null });
        await upload(context, { map: named('a'), release: '1' });
        for (const [file, nearest] of [
          ['app2.js', ['app.js']],
          ['page.js', []],
        ])
          expect(await resolved(`file=${file}&line=1&column=7&release=1`)).toMatchObject({
            result: 'no_map_for_file',
            detail: { file, nearest },
          });
        expect(await resolved(`${minified}&release=2`)).toMatchObject({
          result: 'no_map_for_release',
          detail: { release: '2', releases: ['1'] },
          original: null,
        });
        await upload(context, { map: named('b', { debug_id: debugId }), release: '3' });
        expect(await resolved(`${minified}&release=3&debug_id=11111111-023f-4cf1-a267-535f4e37bb17`)).toMatchObject({
          result: 'debug_id_mismatch',
          original: null,
        });
        expect(await resolved('file=app.js&line=7&column=1&release=1')).toMatchObject({
          result: 'position_outside_map',
          detail: { lines: 1 },
          original: null,
        });
        await upload(context, { map: { ...named('c'), sourcesContent: [null] }, release: '4' });
        expect(await resolved('file=app.js&line=1&column=1&release=4')).toMatchObject({
          result: 'source_content_missing',
          original: { file: 'src/c.ts', line: 1, column: 1, text: null },
        });
        for (const query of [
          'line=1&column=1',
          'file=app.js&column=1',
          'file=app.js&line=1',
          'file=&line=1&column=1',
          'file=app.js&line=0&column=1',
          'file=app.js&line=1&column=-1',
          'file=app.js&line=1&column=2147483648',
          `file=${'x'.repeat(2_049)}&line=1&column=1`,
          `file=app.js&line=1&column=1&debug_id=${'x'.repeat(65)}`,
        ])
          expect(await context.outcome('GET', `${path}?${query}`)).toBe('validation_failed');
      },
    },
    {
      title: 'last_used_at of a map is the time it last resolved a frame',
      covers: ['maps.last_used'],
      async run(context) {
        await upload(context);
        const list = `projects/${await context.fixture('project')}/source-maps`;
        expect(await topFrameFile(context)).toBe('src/cart.ts');
        await expect
          .poll(async () => (await context.send(200, 'GET', list)).items[0].last_used_at)
          .toMatch(/^\d{4}-.*Z$/);
      },
    },
    {
      title: 'uploading the same map again replaces it with the same id and a new time',
      covers: ['maps.again.debug_id', 'maps.again.url', 'maps.again.file', 'maps.other'],
      async run(context) {
        const cases: [first: MapFormFields, again: MapFormFields, isSame: boolean][] = [
          [
            { map: named('a', { debug_id: debugId }) },
            { map: named('b', { debug_id: debugId }), release: '7', name: 'other.js.map' },
            true,
          ],
          [
            { release: '1', url: 'https://a.example/1.js' },
            { release: '1', url: 'https://a.example/1.js', name: 'renamed.js.map' },
            true,
          ],
          [{ release: '2', name: 'two.js.map' }, { release: '2', name: 'two.js.map', map: named('c') }, true],
          [{ name: 'three.js.map' }, { name: 'three.js.map' }, true],
          [{ release: '4', name: 'four.js.map' }, { release: '4.1', name: 'four.js.map' }, false],
          [{ release: '5', name: 'five.js.map' }, { release: '5', name: 'fifth.js.map' }, false],
          [{ release: '6', url: 'https://a.example/6.js' }, { release: '6', url: 'https://b.example/6.js' }, false],
        ];
        for (const [first, again, isSame] of cases) {
          const one = await upload(context, first);
          const other = await upload(context, again, isSame ? 200 : 201);
          expect([first, other.id === one.id]).toEqual([first, isSame]);
          expect(Date.parse(other.created_at)).toBeGreaterThanOrEqual(Date.parse(one.created_at));
        }
        // The replacement resolves frames from now on.
        expect(await topFrameFile(context, { release: '2' }, 'https://shop.example/two.js')).toBe('src/c.ts');
      },
    },
    {
      title: 'an upload that is not a source map returns 422',
      covers: ['maps.not_a_map', 'problem.invalid_source_map', 'maps.no_file'],
      async run(context) {
        for (const map of [
          '',
          'no JSON',
          '[]',
          'null',
          '{}',
          { ...sourceMap, version: 2 },
          { ...sourceMap, mappings: 5 },
          { ...sourceMap, mappings: '!!' },
          { ...sourceMap, sources: 'x' },
        ]) {
          const { status, body } = await context.call(
            'POST',
            `projects/${await context.fixture('project')}/source-maps`,
            {
              body: mapForm({ map }),
            },
          );
          expect([map, status, body.code]).toEqual([map, 422, 'invalid_source_map']);
        }
        const form = new FormData();
        form.append('release', '1');
        expect(
          await context.outcome('POST', `projects/${await context.fixture('project')}/source-maps`, { body: form }),
        ).toBe('validation_failed');
        expect((await context.send(200, 'GET', `projects/${await context.fixture('project')}/source-maps`)).total).toBe(
          0,
        );
      },
    },
    {
      title: 'index maps and maps with a guard prefix are supported',
      covers: ['maps.index', 'maps.guard'],
      async run(context) {
        const index = { version: 3, sections: [{ offset: { line: 0, column: 0 }, map: named('indexed') }] };
        await upload(context, { map: index, name: 'index.js.map' });
        expect(await topFrameFile(context, {}, 'https://shop.example/index.js')).toBe('src/indexed.ts');
        await upload(context, { map: `)]}'\n${JSON.stringify(named('guarded'))}`, name: 'guard.js.map' });
        expect(await topFrameFile(context, {}, 'https://shop.example/guard.js')).toBe('src/guarded.ts');
      },
    },
    {
      title: 'a map with over 100,000 sources returns 422',
      covers: ['maps.sources'],
      async run(context) {
        const sources = (count: number): object => ({
          ...sourceMap,
          sourcesContent: [],
          sources: Array.from({ length: count }, (_, index) => `${index}`),
        });
        expect((await upload(context, { map: sources(100_000) })).sources).toBe(100_000);
        const path = `projects/${await context.fixture('project')}/source-maps`;
        const { status } = await context.call('POST', path, { body: mapForm({ map: sources(100_001) }) });
        expect(status).toBe(422);
      },
    },
    {
      title: 'a map over 64 MiB returns 413',
      covers: ['maps.large', 'problem.payload_too_large.stream'],
      // The upload is slow, so one target is enough.
      targets: ['program'],
      async run(context) {
        const map = ' '.repeat(64 * 1024 * 1024 + 1);
        const path = `projects/${await context.fixture('project')}/source-maps`;
        expect(await context.outcome('POST', path, { body: mapForm({ map }) })).toBe('payload_too_large');
      },
    },
    {
      title: 'the most specific map resolves a frame',
      covers: ['maps.choice.debug_id', 'maps.choice.url', 'maps.choice.file', 'maps.choice.no_release'],
      async run(context) {
        const release = { release: '1.0.0' };
        expect(await topFrameFile(context, release)).toBe('https://shop.example/app.js');
        await upload(context, { map: named('without') });
        expect(await topFrameFile(context, release)).toBe('src/without.ts');
        expect(await topFrameFile(context)).toBe('src/without.ts');
        await upload(context, { map: named('file'), ...release });
        expect(await topFrameFile(context, release)).toBe('src/file.ts');
        expect(await topFrameFile(context, { release: '2.0.0' })).toBe('src/without.ts');
        await upload(context, { map: named('url'), ...release, url: '~/app.js', name: 'x.js.map' });
        expect(await topFrameFile(context, release)).toBe('src/url.ts');
        expect(await topFrameFile(context, release, 'https://other.example/app.js')).toBe('src/url.ts');
        await upload(context, { map: named('debug', { debug_id: debugId }), name: 'y.js.map' });
        expect(await topFrameFile(context, { ...release, debug_ids: { 'https://shop.example/app.js': debugId } })).toBe(
          'src/debug.ts',
        );
        expect(await topFrameFile(context, release)).toBe('src/url.ts');
      },
    },
    {
      title: 'a map that is uploaded late keeps its reports in one group',
      covers: ['maps.late.frames', 'maps.late.alias', 'maps.late.original', 'maps.late.other'],
      async run(context) {
        const release = { release: '1' };
        const event_id = '0b9d3f5e-7c1a-4d2b-8e6f-1a2b3c4d5e6f';
        const { body: first } = await context.report(bundleReport(1, release));
        const path = `errors/${first.error_group_id}`;
        await context.send(200, 'PATCH', `${path}/status`, { body: { status: 'resolved' } });
        await upload(context, bundleMap);
        expect((await context.send(200, 'GET', path)).latest_report.frames[0]).toMatchObject({
          file: 'src/cart.ts',
          function: 'add',
          resolved: true,
        });
        const known = { ...first, is_new_group: false };
        expect((await context.report(bundleReport(1, { ...release, event_id }))).body).toEqual(known);
        expect(await context.send(200, 'GET', path)).toMatchObject({
          error_group_id: first.error_group_id,
          fingerprint: first.fingerprint,
          count: 2,
          status: 'active',
          reopen_count: 1,
        });
        expect((await context.report(bundleReport(1, { ...release, event_id }))).body).toEqual(known);
        const { body: other } = await context.report(bundleReport(101, release));
        expect(other).toMatchObject({ is_new_group: true });
        expect(other.fingerprint).not.toBe(first.fingerprint);
        if (context.target.isPersistent) await context.restart();
        expect((await context.report(bundleReport(1, release))).body).toEqual(known);
        // The other function in a release without a map stays unresolved, so it matches the unresolved fingerprint.
        expect((await context.report(bundleReport(101, { release: '0' }))).body).toEqual(known);
        expect((await context.report(bundleReport(101, release))).body).toEqual({ ...other, is_new_group: false });
        expect((await context.send(200, 'GET', path)).count).toBe(4);
      },
    },
    {
      title: 'a map that is uploaded late updates culprit and search in the background',
      covers: ['maps.late.culprit'],
      async run(context) {
        const { error_group_id } = await context.createReport(bundleReport(1, { release: '1' }));
        await upload(context, bundleMap);
        const list = `errors?project_id=${await context.fixture('project')}&search=add+cart.ts`;
        await expect
          .poll(async () => (await context.send(200, 'GET', list)).items, { interval: 200 })
          .toMatchObject([{ error_group_id, culprit: 'add (src/cart.ts)', count: 1 }]);
      },
    },
    {
      title: 'the order of reports does not change their fingerprints if the maps exist first',
      covers: ['maps.late.order'],
      async run(context) {
        const reports = [
          bundleReport(1, { release: '1' }),
          bundleReport(101, { release: '1' }),
          bundleReport(1, { release: '0' }),
          bundleReport(101),
          { message: 'The cart is locked', type: 'Error', release: '1' },
        ];
        const orders = [
          [0, 1, 2, 3, 4],
          [4, 3, 2, 1, 0],
          [2, 0, 3, 1, 4],
          [3, 4, 1, 2, 0],
        ];
        const seen = new Set<string>();
        for (const order of orders) {
          const { id, api_key } = await context.createProject('In order');
          await context.send(201, 'POST', `projects/${id}/source-maps`, { body: mapForm(bundleMap) });
          const fingerprints: string[] = [];
          for (const index of order) {
            const { body } = await context.report({ ...reports[index], project_api_key: api_key });
            fingerprints[index] = body.fingerprint;
          }
          seen.add(JSON.stringify(fingerprints));
        }
        expect(seen.size).toBe(1);
        expect(new Set(JSON.parse([...seen][0] ?? '[]')).size).toBe(4);
      },
    },
    {
      title: 'a source map does not resolve frames of another project',
      covers: ['maps.apart'],
      async run(context) {
        await upload(context, { map: named('mine', { debug_id: debugId }) });
        const { api_key, id } = await context.createProject('Other');
        const debug_ids = { 'https://shop.example/app.js': debugId };
        expect(await topFrameFile(context, { debug_ids })).toBe('src/mine.ts');
        expect(await topFrameFile(context, { debug_ids, project_api_key: api_key })).toBe(
          'https://shop.example/app.js',
        );
        const mine = (await context.send(200, 'GET', `projects/${await context.fixture('project')}/source-maps`))
          .items[0];
        expect(await context.outcome('DELETE', `projects/${id}/source-maps/${mine.id}`)).toBe('source_map_not_found');
      },
    },
  ],
};
