import { expect } from 'vitest';
import type { Json } from '../answer.ts';
import type { Chapter } from '../chapter.ts';
import { mapForm, sourceMap, type MapParts, type Scene } from '../scene.ts';

const debugId = '85314830-023f-4cf1-a267-535f4e37bb17';

async function upload(scene: Scene, parts: MapParts = {}, status = 201): Promise<Json> {
  return scene.get(status, 'POST', `projects/${await scene.know('project')}/source-maps`, { body: mapForm(parts) });
}

/** A map that says where it is from: the file of the frame that it serves is `src/NAME.ts`. */
const named = (name: string, more: object = {}): object => ({ ...sourceMap, sources: [`src/${name}.ts`], ...more });

/** The file of the top frame of a report from app.js. */
async function servedBy(scene: Scene, fields: object = {}, url = 'https://shop.example/app.js'): Promise<string> {
  const kept = await scene.kept({ stacktrace: `TypeError: x\n    at f (${url}:1:1)`, ...fields });
  return kept.frames[0].file;
}

/** Two functions of one file on one line: which of them it is tells only the map. */
const twoFunctions = {
  ...sourceMap,
  sourcesContent: ['function add() { fail(); }\nfunction take() { fail(); }'],
  // 1:1 is in add, 1:101 in take.
  mappings: 'AAAiB,oGACC',
};

/** A report from a bundle, where names are the minifier's, of a function as its map tells them apart. */
function bundled(column: 1 | 101, fields: object = {}): object {
  return {
    message: 'Cart is empty',
    type: 'Error',
    stacktrace: `Error: Cart is empty\n    at a (https://shop.example/app-3f2a9c1b.js:1:${column})`,
    ...fields,
  };
}

const bundleMap = { map: twoFunctions, name: 'app-3f2a9c1b.js.map', release: '1' };

/** Source maps of a project. */
export const sourceMaps: Chapter = {
  name: 'source maps',
  tests: [
    {
      title: 'a map is uploaded, listed and deleted',
      proves: [
        'maps.upload',
        'maps.file',
        'maps.optional',
        'maps.list',
        'maps.last_used',
        'maps.delete',
        'maps.sources',
      ],
      async run(scene) {
        const map = await upload(scene, {
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
          created_at: expect.stringMatching(/Z$/),
        });
        const bare = await upload(scene, { name: 'vendor.min.js.map' });
        expect(bare).toMatchObject({ file: 'vendor.min.js', release: null, url: null, debug_id: null });
        const list = `projects/${await scene.know('project')}/source-maps`;
        expect(await scene.get(200, 'GET', list)).toEqual({
          items: [
            { ...bare, last_used_at: null },
            { ...map, last_used_at: null },
          ],
          total: 2,
          page: 1,
          size: 50,
          pages: 1,
        });
        expect((await scene.get(200, 'GET', `${list}?size=1&page=2`)).items).toMatchObject([{ id: map.id }]);
        await scene.get(204, 'DELETE', `${list}/${bare.id}`);
        expect((await scene.get(200, 'GET', list)).total).toBe(1);
        expect(await scene.codeOf('DELETE', `${list}/${bare.id}`)).toBe('source_map_not_found');
      },
    },
    {
      title: 'the list can be had of one release',
      proves: ['maps.list.release'],
      async run(scene) {
        const a = await upload(scene, { release: '1.0.0' });
        await upload(scene, { release: '1.0' });
        await upload(scene);
        const list = await scene.get(200, 'GET', `projects/${await scene.know('project')}/source-maps?release=1.0.0`);
        expect(list).toMatchObject({ total: 1, items: [{ id: a.id }] });
      },
    },
    {
      title: 'a map says when it last served a frame',
      proves: ['maps.last_used'],
      async run(scene) {
        await upload(scene);
        const list = `projects/${await scene.know('project')}/source-maps`;
        expect(await servedBy(scene)).toBe('src/cart.ts');
        await expect.poll(async () => (await scene.get(200, 'GET', list)).items[0].last_used_at).toMatch(/^\d{4}-.*Z$/);
      },
    },
    {
      title: 'the same map again replaces it: 200, the same id, a new time',
      proves: ['maps.again.debug_id', 'maps.again.url', 'maps.again.file', 'maps.other'],
      async run(scene) {
        const rows: [first: MapParts, again: MapParts, isSame: boolean][] = [
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
        for (const [first, again, isSame] of rows) {
          const one = await upload(scene, first);
          const other = await upload(scene, again, isSame ? 200 : 201);
          expect([first, other.id === one.id]).toEqual([first, isSame]);
          expect(Date.parse(other.created_at)).toBeGreaterThanOrEqual(Date.parse(one.created_at));
        }
        // The one that came later is what serves.
        expect(await servedBy(scene, { release: '2' }, 'https://shop.example/two.js')).toBe('src/c.ts');
      },
    },
    {
      title: 'what is no map is refused with the reason',
      proves: ['maps.not_a_map', 'problem.invalid_source_map', 'maps.no_file'],
      async run(scene) {
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
          const { status, body } = await scene.call('POST', `projects/${await scene.know('project')}/source-maps`, {
            body: mapForm({ map }),
          });
          expect([map, status, body.code]).toEqual([map, 422, 'invalid_source_map']);
        }
        const form = new FormData();
        form.append('release', '1');
        expect(await scene.codeOf('POST', `projects/${await scene.know('project')}/source-maps`, { body: form })).toBe(
          'validation_failed',
        );
        expect((await scene.get(200, 'GET', `projects/${await scene.know('project')}/source-maps`)).total).toBe(0);
      },
    },
    {
      title: 'index maps and maps behind a guard are read',
      proves: ['maps.index', 'maps.guard'],
      async run(scene) {
        const index = { version: 3, sections: [{ offset: { line: 0, column: 0 }, map: named('indexed') }] };
        await upload(scene, { map: index, name: 'index.js.map' });
        expect(await servedBy(scene, {}, 'https://shop.example/index.js')).toBe('src/indexed.ts');
        await upload(scene, { map: `)]}'\n${JSON.stringify(named('guarded'))}`, name: 'guard.js.map' });
        expect(await servedBy(scene, {}, 'https://shop.example/guard.js')).toBe('src/guarded.ts');
      },
    },
    {
      title: 'a map has 100,000 sources',
      proves: ['maps.sources'],
      async run(scene) {
        const sources = (count: number): object => ({
          ...sourceMap,
          sourcesContent: [],
          sources: Array.from({ length: count }, (_, index) => `${index}`),
        });
        expect((await upload(scene, { map: sources(100_000) })).sources).toBe(100_000);
        const path = `projects/${await scene.know('project')}/source-maps`;
        const { status } = await scene.call('POST', path, { body: mapForm({ map: sources(100_001) }) });
        expect(status).toBe(422);
      },
    },
    {
      title: 'a map over 64 MiB is refused',
      proves: ['maps.large', 'problem.payload_too_large.stream'],
      // Once is enough of so much.
      places: ['program'],
      patience: 60_000,
      async run(scene) {
        const map = ' '.repeat(64 * 1024 * 1024 + 1);
        const path = `projects/${await scene.know('project')}/source-maps`;
        expect(await scene.codeOf('POST', path, { body: mapForm({ map }) })).toBe('payload_too_large');
      },
    },
    {
      title: 'the most exact map serves a frame',
      proves: ['maps.choice.debug_id', 'maps.choice.url', 'maps.choice.file', 'maps.choice.no_release'],
      async run(scene) {
        const release = { release: '1.0.0' };
        expect(await servedBy(scene, release)).toBe('https://shop.example/app.js');
        await upload(scene, { map: named('without') });
        expect(await servedBy(scene, release)).toBe('src/without.ts');
        expect(await servedBy(scene)).toBe('src/without.ts');
        await upload(scene, { map: named('file'), ...release });
        expect(await servedBy(scene, release)).toBe('src/file.ts');
        expect(await servedBy(scene, { release: '2.0.0' })).toBe('src/without.ts');
        await upload(scene, { map: named('url'), ...release, url: '~/app.js', name: 'x.js.map' });
        expect(await servedBy(scene, release)).toBe('src/url.ts');
        expect(await servedBy(scene, release, 'https://other.example/app.js')).toBe('src/url.ts');
        await upload(scene, { map: named('debug', { debug_id: debugId }), name: 'y.js.map' });
        expect(await servedBy(scene, { ...release, debug_ids: { 'https://shop.example/app.js': debugId } })).toBe(
          'src/debug.ts',
        );
        expect(await servedBy(scene, release)).toBe('src/url.ts');
      },
    },
    {
      title: 'a map that comes late adopts the group of its reports instead of splitting it',
      proves: ['maps.late.frames', 'maps.late.adopts', 'maps.late.born', 'maps.late.other'],
      async run(scene) {
        const release = { release: '1' };
        const event_id = '0b9d3f5e-7c1a-4d2b-8e6f-1a2b3c4d5e6f';
        const { body: first } = await scene.report(bundled(1, release));
        const path = `errors/${first.error_group_id}`;
        await scene.get(200, 'PATCH', `${path}/status`, { body: { status: 'resolved' } });
        await upload(scene, bundleMap);
        expect((await scene.get(200, 'GET', path)).latest_report.frames[0]).toMatchObject({
          file: 'src/cart.ts',
          function: 'add',
          resolved: true,
        });
        const known = { ...first, is_new_group: false };
        expect((await scene.report(bundled(1, { ...release, event_id }))).body).toEqual(known);
        expect(await scene.get(200, 'GET', path)).toMatchObject({
          error_group_id: first.error_group_id,
          fingerprint: first.fingerprint,
          count: 2,
          status: 'active',
          reopen_count: 1,
        });
        expect((await scene.report(bundled(1, { ...release, event_id }))).body).toEqual(known);
        const { body: other } = await scene.report(bundled(101, release));
        expect(other).toMatchObject({ is_new_group: true });
        expect(other.fingerprint).not.toBe(first.fingerprint);
        if (scene.place.isLasting) await scene.restart();
        expect((await scene.report(bundled(1, release))).body).toEqual(known);
        // Nothing is told of a release that has no map: its reports are in the group that such reports have opened.
        expect((await scene.report(bundled(101, { release: '0' }))).body).toEqual(known);
        expect((await scene.report(bundled(101, release))).body).toEqual({ ...other, is_new_group: false });
        expect((await scene.get(200, 'GET', path)).count).toBe(4);
      },
    },
    {
      title: 'lists and searches know the place that a late map tells a while later',
      proves: ['maps.late.culprit'],
      patience: 30_000,
      async run(scene) {
        const { error_group_id } = await scene.accepted(bundled(1, { release: '1' }));
        await upload(scene, bundleMap);
        const list = `errors?project_id=${await scene.know('project')}&search=add+cart.ts`;
        await expect
          .poll(async () => (await scene.get(200, 'GET', list)).items, { timeout: 20_000, interval: 200 })
          .toMatchObject([{ error_group_id, culprit: 'add (src/cart.ts)', count: 1 }]);
      },
    },
    {
      title: 'with the maps there first, reports in any order have the same fingerprints',
      proves: ['maps.late.order'],
      async run(scene) {
        const reports = [
          bundled(1, { release: '1' }),
          bundled(101, { release: '1' }),
          bundled(1, { release: '0' }),
          bundled(101),
          { message: 'Cart is empty', type: 'Error', release: '1' },
        ];
        const orders = [
          [0, 1, 2, 3, 4],
          [4, 3, 2, 1, 0],
          [2, 0, 3, 1, 4],
          [3, 4, 1, 2, 0],
        ];
        const seen = new Set<string>();
        for (const order of orders) {
          const { id, api_key } = await scene.newProject('In order');
          await scene.get(201, 'POST', `projects/${id}/source-maps`, { body: mapForm(bundleMap) });
          const prints: string[] = [];
          for (const index of order) {
            const { body } = await scene.report({ ...reports[index], project_api_key: api_key });
            prints[index] = body.fingerprint;
          }
          seen.add(JSON.stringify(prints));
        }
        expect(seen.size).toBe(1);
        expect(new Set(JSON.parse([...seen][0] ?? '[]')).size).toBe(4);
      },
    },
    {
      title: 'a map serves its own project only',
      proves: ['maps.apart'],
      async run(scene) {
        await upload(scene, { map: named('mine', { debug_id: debugId }) });
        const { api_key, id } = await scene.newProject('Other');
        const debug_ids = { 'https://shop.example/app.js': debugId };
        expect(await servedBy(scene, { debug_ids })).toBe('src/mine.ts');
        expect(await servedBy(scene, { debug_ids, project_api_key: api_key })).toBe('https://shop.example/app.js');
        const mine = (await scene.get(200, 'GET', `projects/${await scene.know('project')}/source-maps`)).items[0];
        expect(await scene.codeOf('DELETE', `projects/${id}/source-maps/${mine.id}`)).toBe('source_map_not_found');
      },
    },
  ],
};
