import { SourceMapGenerator } from 'source-map';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startCulpritRenewal } from '../../src/groups/culprit-renewal.ts';
import type { ProjectRecord } from '../../src/store/records/project-records.ts';
import { openService, type OpenService } from '../test-utils/open-service.ts';
import { uploadMap } from '../test-utils/upload-map.ts';

let opened: OpenService;
let project: ProjectRecord;

beforeEach(async () => {
  opened = await openService();
  const { body } = await opened.call<{ id: number }>('POST', 'projects', { body: { name: 'Library' } });
  project = opened.services.store.model.tables.projects.get(body.id) as ProjectRecord;
});
afterEach(() => opened.close());

/** An app whose bundle has the functions of two bugs, in its columns 1 and 101. Both bugs have the same message. */
interface App {
  message: string;
  file: string;
  source: readonly [string, string];
  /**
   * The stack that a browser reports for a place in a minified bundle, and for its caller, which is in no source map.
   */
  stack(place: string, caller: string): string;
}

const library: App = {
  message: 'The copy is lost',
  file: 'desk',
  source: ['export function lend(copy) { check(copy); }', 'export function giveBack(copy) { check(copy); }'],
  stack: (place, caller) => `Error: The copy is lost\n    at nn (${place})\n    at Xe (${caller})`,
};
const greenhouse: App = {
  message: 'Bed 12 has no sensor',
  file: 'beds',
  source: ['const water = (bed) => measure(bed);', 'const heat = (bed) => measure(bed);'],
  stack: (place, caller) => `q@${place}\nw@${caller}`,
};
const columns = { first: 1, second: 101 };
type Column = keyof typeof columns;

async function upload(release: string, app = library): Promise<void> {
  const file = `${app.file}-${release}.js`;
  const source = `src/${app.file}.ts`;
  const generator = new SourceMapGenerator({ file });
  generator.setSourceContent(source, app.source.join('\n'));
  for (const [index, column] of Object.values(columns).entries())
    generator.addMapping({
      generated: { line: 1, column: column - 1 },
      original: { line: index + 1, column: 30 },
      source,
    });
  await uploadMap(opened.services, project, generator.toJSON(), { file, release });
}

async function report(release: string, column: Column, app = library): Promise<number> {
  const url = `https://app.example/${app.file}-${release}.js`;
  const { body } = await opened.call('POST', 'errors', {
    body: {
      project_api_key: project.api_key,
      release,
      type: 'Error',
      message: app.message,
      stacktrace: app.stack(`${url}:1:${columns[column]}`, `${url}:1:9000`),
    },
  });
  return body.error_group_id as number;
}

/** Renews the culprits that an upload has marked as stale, without the delay. */
async function renew(): Promise<void> {
  const { store } = opened.services;
  await store.commit((transaction) => {
    for (const row of transaction.rows('stale_culprits')) transaction.put('stale_culprits', { ...row, due_at: 0 });
  });
  const renewal = startCulpritRenewal(opened.services);
  await expect.poll(() => store.model.tables.stale_culprits.size).toBe(0);
  await renewal.stop();
}

async function shown(): Promise<(number | undefined)[][]> {
  const { body } = await opened.call<{ items: { error_group_id: number; count: number }[] }>('GET', 'errors');
  return body.items.map(({ error_group_id, count }) => [error_group_id, count]).toSorted(([a = 0], [b = 0]) => a - b);
}

describe.each([
  ['a library', library],
  ['a greenhouse', greenhouse],
])('in the app of %s', (_, app) => {
  test('a group that is older than its source map joins the group of its bug, with later reports of both', async () => {
    await upload('1', app);
    const known = await report('1', 'first', app);
    const late = await report('2', 'first', app);
    expect(late).not.toBe(known);
    await upload('2', app);
    await renew();
    expect(await shown()).toEqual([[known, 2]]);
    expect([await report('2', 'first', app), await report('3', 'first', app)]).toEqual([known, known]);
    expect(await shown()).toEqual([[known, 4]]);
  });

  test('a group that its source map separates into two bugs joins neither', async () => {
    await upload('1', app);
    const [first, second] = [await report('1', 'first', app), await report('1', 'second', app)];
    const late = await report('2', 'first', app);
    expect(await report('2', 'second', app)).toBe(late);
    await upload('2', app);
    await renew();
    expect(await shown()).toEqual([
      [first, 1],
      [second, 1],
      [late, 2],
    ]);
  });
});

test('a group with reports that still have no source map joins none', async () => {
  await upload('1');
  const known = await report('1', 'first');
  const late = await report('2', 'first');
  expect(await report('3', 'first')).toBe(late);
  await upload('2');
  await renew();
  expect(await shown()).toEqual([
    [known, 1],
    [late, 2],
  ]);
});

test('a group that a user has unmerged is not merged again by a further source map', async () => {
  await upload('1');
  const known = await report('1', 'first');
  const late = await report('2', 'first');
  await upload('2');
  await renew();
  await opened.call('POST', `errors/${known}/unmerge`, { body: { group_ids: [late] } });
  await upload('2');
  await renew();
  expect(await shown()).toEqual([
    [known, 1],
    [late, 1],
  ]);
  expect((await opened.call('POST', `errors/${known}/merge`, { body: { group_ids: [late] } })).status).toBe(200);
});
