import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Json } from '../api-call.ts';
import type { TestContext } from '../context.ts';
import { mapForm, type MapFormFields, sourceMap } from '../source-map-form.ts';
import type { Suite } from '../suite.ts';

const debugId = '85314830-023f-4cf1-a267-535f4e37bb17';
const otherDebugId = '11111111-023f-4cf1-a267-535f4e37bb17';
const page = 'https://shop.example/';
/** A minified frame of `app.js`: minifiers shorten the function name. */
const frame = `    at t (${page}app.js:1:1)`;

async function upload(context: TestContext, parts: MapFormFields = {}): Promise<Json> {
  const path = `projects/${await context.fixture('project')}/source-maps`;
  return context.send(201, 'POST', path, { body: mapForm(parts) });
}

/** Posts a report with these frames and returns their resolution. */
async function resolutionOf(context: TestContext, frames: string[], fields: object = {}): Promise<Json> {
  const stacktrace = `TypeError: x is ${frames.length}\n${frames.join('\n')}`;
  const { error_group_id: group } = await context.createReport({ stacktrace, url: page, ...fields });
  return context.send(200, 'GET', `errors/${group}/resolution`);
}

/** Returns the result and detail of a report with one frame. */
async function frameResult(context: TestContext, line = frame, fields: object = {}): Promise<Json> {
  const { result, detail } = (await resolutionOf(context, [line], fields)).frames[0];
  return { result, detail };
}

/** The resolution of frames, and the reasons of unresolved ones. */
export const resolution: Suite = {
  name: 'resolution',
  tests: [
    {
      title: 'the resolution lists each frame of the latest report with its result and maps',
      covers: ['resolution.shape', 'resolution.latest', 'resolution.raw', 'resolution.why', 'resolution.resolved'],
      async run(context) {
        const release = '1.0.0';
        const none = await upload(context, { name: 'app.js.map' });
        const byFile = await upload(context, { release });
        const byUrl = await upload(context, { release, url: '~/app.js', name: 'x.js.map' });
        const byId = await upload(context, { map: { ...sourceMap, debug_id: debugId }, name: 'y.js.map' });
        const body = await resolutionOf(context, [frame, '    at Array.map (<anonymous>)'], {
          release,
          debug_ids: { [`${page}app.js`]: debugId },
        });
        const group = await context.send(
          200,
          'GET',
          `errors/${(await context.send(200, 'GET', 'errors')).items[0].error_group_id}`,
        );
        const candidate = ({ id, file, release: of, url }: Json, why: string): Json => ({
          id,
          file,
          release: of,
          url,
          why,
        });
        expect(body).toEqual({
          report_id: group.latest_report.id,
          frames: [
            {
              index: 0,
              file: `${page}app.js`,
              line: 1,
              column: 1,
              result: 'resolved',
              detail: {},
              maps: [
                candidate(byId, 'debug_id'),
                candidate(byUrl, 'release_url'),
                candidate(byFile, 'release_file'),
                candidate(none, 'no_release'),
              ],
            },
            { index: 1, file: null, line: null, column: null, result: 'no_location', detail: {}, maps: [] },
          ],
        });
        expect(group.latest_report.frames).toMatchObject([
          { resolved: true, file: 'src/cart.ts' },
          { resolved: false },
        ]);
      },
    },
    {
      title: 'frames that need no map have their own results',
      covers: ['resolution.not_minified', 'resolution.no_location', 'resolution.third_party'],
      async run(context) {
        expect(await frameResult(context, `    at checkout (${page}app.js:12:5)`)).toEqual({
          result: 'not_minified',
          detail: {},
        });
        expect(await frameResult(context, '    at Array.forEach (<anonymous>)')).toEqual({
          result: 'no_location',
          detail: {},
        });
        expect(await frameResult(context, '    at t (https://ads.example/ad.js:1:900)')).toEqual({
          result: 'third_party',
          detail: {},
        });
        const { frames } = await resolutionOf(context, [
          '    at t (chrome-extension://abc/inject.js:1:900)',
          '    at f (eval)',
        ]);
        expect(frames.map(({ result }: Json) => result)).toContain('third_party');
      },
    },
    {
      title: 'an unresolved frame lists the releases and files that have maps',
      covers: ['resolution.no_maps_in_project', 'resolution.no_map_for_release', 'resolution.no_map_for_file'],
      async run(context) {
        expect(await frameResult(context)).toEqual({ result: 'no_maps_in_project', detail: {} });
        await upload(context, { release: '1.0.0' });
        await upload(context, { release: '1.1.0' });
        expect(await frameResult(context, frame, { release: '2.0.0' })).toEqual({
          result: 'no_map_for_release',
          detail: { release: '2.0.0', releases: ['1.1.0', '1.0.0'] },
        });
        expect(await frameResult(context)).toEqual({
          result: 'no_map_for_release',
          detail: { release: null, releases: ['1.1.0', '1.0.0'] },
        });
        for (const name of ['vendor-71ab90ef.js', 'cart-3f2a55aa.js', 'app-71ab90ef.js', 'app-9c1d11bb.css'])
          await upload(context, { release: '1.1.0', name: `${name}.map` });
        expect(
          await frameResult(context, `    at t (${page}assets/app-9c1d22cc.js:1:900)`, { release: '1.1.0' }),
        ).toEqual({
          result: 'no_map_for_file',
          detail: { file: 'app-9c1d22cc.js', nearest: ['app-9c1d11bb.css', 'app-71ab90ef.js', 'app.js'] },
        });
      },
    },
    {
      title: 'a map with another debug id is skipped and reported as a mismatch',
      covers: ['resolution.debug_id_mismatch'],
      async run(context) {
        const map = await upload(context, { map: { ...sourceMap, debug_id: otherDebugId } });
        const debug_ids = { [`${page}app.js`]: debugId };
        const { frames } = await resolutionOf(context, [frame], { debug_ids });
        expect(frames).toMatchObject([
          {
            result: 'debug_id_mismatch',
            detail: { expected: debugId, found: otherDebugId },
            maps: [{ id: map.id, why: 'no_release' }],
          },
        ]);
        expect(
          (await context.storedReport({ stacktrace: `TypeError: y\n${frame}`, debug_ids })).frames[0].resolved,
        ).toBe(false);
        // A map without a debug id is the next choice.
        await upload(context, { url: `${page}app.js`, name: 'other.js.map' });
        expect(await frameResult(context, frame, { debug_ids })).toEqual({ result: 'resolved', detail: {} });
      },
    },
    {
      title: 'a position outside the map is reported with the line count of the map',
      covers: ['resolution.position_outside_map'],
      async run(context) {
        await upload(context, { map: { ...sourceMap, mappings: ';;AAAA' } });
        for (const position of ['1:1', '4:1', '900000:1'])
          expect(await frameResult(context, `    at t (${page}app.js:${position})`)).toEqual({
            result: 'position_outside_map',
            detail: { lines: 3 },
          });
        expect((await frameResult(context, `    at t (${page}app.js:3:1)`)).result).toBe('resolved');
      },
    },
    {
      title: 'a map without source content still resolves file and line',
      covers: ['resolution.source_content_missing'],
      async run(context) {
        await upload(context, { map: { ...sourceMap, sourcesContent: undefined } });
        expect(await frameResult(context)).toEqual({
          result: 'source_content_missing',
          detail: { source: 'src/cart.ts' },
        });
        expect((await context.storedReport({ stacktrace: `TypeError: y\n${frame}` })).frames[0]).toMatchObject({
          resolved: true,
          file: 'src/cart.ts',
          line: 1,
          context: [],
        });
      },
    },
    {
      title: 'a damaged map index is reported as map_invalid',
      covers: ['resolution.map_invalid'],
      targets: ['file', 'program'],
      needsOwnServer: true,
      async run(context) {
        await upload(context);
        const folder = join(context.folder ?? '', 'blobs');
        for (const blob of await readdir(folder)) await writeFile(join(folder, blob), 'damaged');
        expect(await frameResult(context)).toEqual({ result: 'map_invalid', detail: {} });
        expect((await context.storedReport({ stacktrace: `TypeError: y\n${frame}` })).frames[0].resolved).toBe(false);
      },
    },
  ],
};
