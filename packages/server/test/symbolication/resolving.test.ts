import type { PositionResolution } from '@service/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startCulpritRenewal } from '../../src/groups/culprit-renewal.ts';
import { uploadSourceMap } from '../../src/source-maps/upload-source-map.ts';
import { parseStack } from '../../src/stack/parse-stack.ts';
import type { SourceMapRecord } from '../../src/store/records/source-map-records.ts';
import { symbolicateReport } from '../../src/symbolication/symbolicate-report.ts';
import { operatorOf, receiveMap } from '../test-utils/upload-map.ts';
import { openMapService, type MapService } from './map-service.ts';

const cart = {
  version: 3,
  sources: ['src/cart.ts'],
  sourcesContent: ['function add() { fail(); }'],
  names: [],
  mappings: 'AAAiB',
};
const file = 'app-3f2a9c1b.js';
const stacktrace = `Error: It broke\n    at a (https://shop.example/${file}:1:1)`;

let service: MapService;
let laterMs = 0;
beforeEach(async () => {
  laterMs = 0;
  service = await openMapService(() => Date.now() + laterMs);
});
afterEach(() => service.close());

/** Returns the number of lookups in maps. */
function lookUps(): number {
  const { hits, misses } = service.services.mapReader.usage();
  return hits + misses;
}

test('cached stacks of a project stay cached while other projects upload and delete maps', async () => {
  const { projects, upload, report, call } = service;
  const [shop, blog] = projects;
  await upload(shop, cart, { file });
  await report(shop, { stacktrace });
  // The first report records the use of the map.
  await expect.poll(() => service.services.store.model.mapsOf(shop.id)[0]?.last_used_at).toBeTruthy();
  await report(shop, { stacktrace });
  const asked = lookUps();
  await upload(blog, cart, { file });
  await upload(blog, cart, { file: 'other.js' });
  await call('DELETE', `projects/${blog.id}/source-maps/2`);
  expect((await report(shop, { stacktrace })).status).toBe(200);
  expect(lookUps()).toBe(asked);
  await upload(shop, cart, { file });
  await report(shop, { stacktrace });
  expect(lookUps()).toBe(asked + 1);
});

/** Returns the ids of all groups with their culprits. */
async function groups() {
  const { body } = await service.call('GET', 'errors');
  return body.items?.map(({ error_group_id, culprit, count }) => ({ error_group_id, culprit, count }));
}

test('shows the path of a source as it is written, and finds it', async () => {
  const { projects, upload, report, call } = service;
  const [shop] = projects;
  await upload(shop, { ...cart, sources: ['../src/Größe 日本.ts'] }, { file });
  const { body } = await report(shop, { stacktrace });
  const { body: group } = await call('GET', `errors/${body.error_group_id}`);
  expect(group.culprit).toBe('add (src/Größe 日本.ts)');
  expect(group.latest_report?.frames[0]).toMatchObject({ file: '../src/Größe 日本.ts', function: 'add' });
  const { body: found } = await call('GET', `errors?search=${encodeURIComponent('größe 日本.ts')}`);
  expect(found.total).toBe(1);
  const position = new URLSearchParams({ file, line: '1', column: '1' });
  const { body: resolution } = await call<PositionResolution>('GET', `projects/${shop.id}/resolution?${position}`);
  expect(resolution.original?.file).toBe('../src/Größe 日本.ts');
});

test('rejects a report while its map cannot be read, so that no bug is split', async () => {
  const { projects, upload, report, reads } = service;
  const [shop] = projects;
  await upload(shop, cart, { file });
  reads.areFailing = true;
  const rejected = await report(shop, { stacktrace });
  expect([rejected.status, rejected.body.code]).toEqual([503, 'storage_unavailable']);
  expect(rejected.headers.get('retry-after')).toBe('5');
  reads.areFailing = false;
  expect((await report(shop, { stacktrace })).body.is_new_group).toBe(true);
  expect(await groups()).toEqual([{ error_group_id: 1, culprit: 'add (src/cart.ts)', count: 1 }]);
});

test('responds to duplicates and enforces the quota while a map cannot be read', async () => {
  await service.close();
  service = await openMapService(Date.now, { errorQuota: 2 });
  const { projects, upload, report, reads } = service;
  const [shop, blog] = projects;
  const again = { stacktrace, event_id: '0b8c5bd1-7a5e-4f0e-9d5b-2f6f3f5b8f11' };
  const first = await report(shop, again);
  await upload(shop, cart, { file });
  reads.areFailing = true;
  const repeated = await report(shop, again);
  expect([repeated.status, repeated.body]).toEqual([200, first.body]);
  expect((await report(shop, { stacktrace })).status).toBe(503);
  await report(blog, {});
  expect((await report(shop, { stacktrace })).body.code).toBe('error_quota_exhausted');
  expect((await report(shop, again)).body).toEqual(first.body);
});

test('rejects a report while a source cannot be read, so that its functions get no other names', async () => {
  const { projects, upload, report, reads, services } = service;
  const [shop] = projects;
  // A lookup reads only the lines around the position; parsing the functions reads the rest of the source.
  const filling = Array.from({ length: 4_000 }, (_, line) => `// ${Math.imul(line, 2_654_435_761).toString(36)}`);
  await upload(shop, { ...cart, sourcesContent: [[...cart.sourcesContent, ...filling].join('\n')] }, { file });
  const [map] = services.store.model.mapsOf(shop.id);
  if (map) await services.mapReader.locate(map, 1, 1);
  reads.areFailing = true;
  expect((await report(shop, { stacktrace })).status).toBe(503);
  reads.areFailing = false;
  await report(shop, { stacktrace });
  expect(await groups()).toMatchObject([{ culprit: 'add (src/cart.ts)' }]);
});

test('reports are accepted unresolved while a map cannot be read for long, and resolved once it can', async () => {
  const { projects, upload, report, reads, call } = service;
  const [shop] = projects;
  await upload(shop, cart, { file });
  reads.areFailing = true;
  expect((await report(shop, { stacktrace })).status).toBe(503);
  laterMs = 5_000;
  expect((await report(shop, { stacktrace })).status).toBe(503);
  // With this `Retry-After`, the browser SDK sends a report for the third and last time after ten seconds.
  laterMs = 9_000;
  const { status, body } = await report(shop, { stacktrace });
  expect(status).toBe(200);
  const { body: unresolved } = await call('GET', `errors/${body.error_group_id}`);
  expect(unresolved.latest_report?.frames).toMatchObject([{ resolved: false }]);
  reads.areFailing = false;
  const { body: resolved } = await call('GET', `errors/${body.error_group_id}`);
  expect(resolved.latest_report?.frames).toMatchObject([{ resolved: true, file: 'src/cart.ts' }]);
});

test.each(['for a moment', 'for long'])('keeps the culprit of a group while a map cannot be read %s', async (time) => {
  const { projects, upload, report, reads, services } = service;
  const [shop] = projects;
  await upload(shop, cart, { file, release: '1' });
  await report(shop, { stacktrace, release: '1' });
  // Another map makes the server renew the culprit of the group. The first map has to be read again for that.
  await services.store.commit((transaction) => {
    for (const map of transaction.rows('source_maps')) transaction.put('source_maps', { ...map, blob: 'map-away' });
  });
  await upload(shop, cart, { file: 'other.js', release: '1' });
  reads.areFailing = true;
  const row = services.store.model.tables.stale_culprits.get(shop.id);
  expect(row?.groups_before).toBe(1);
  if (time === 'for long') {
    await report(shop, { stacktrace, release: '1' });
    laterMs = 20_000;
  }
  const before = reads.count;
  const renewal = startCulpritRenewal(services);
  laterMs += 2_000;
  await expect.poll(() => reads.count).toBeGreaterThan(before);
  await renewal.stop();
  expect(await groups()).toMatchObject([{ culprit: 'add (src/cart.ts)' }]);
});

/** Returns a map with this number of files, whose names have this number of characters. */
function mapOf(sources: number, nameChars: number): object {
  const names = Array.from({ length: sources }, (_, n) => `src/${'a'.repeat(nameChars - 10)}/${n}.ts`);
  return { ...cart, sources: names, sourcesContent: names.map(() => 'fail();'), mappings: 'AAAA' };
}

test('a map of many sources is read once for concurrent callers', async () => {
  const { projects, upload, reads, services } = service;
  const [shop] = projects;
  await upload(shop, mapOf(70_000, 10), { file });
  await upload(shop, mapOf(12_000, 110), { file: 'listed.js' });
  await upload(shop, mapOf(1_600, 4_000), { file: 'long.js' });
  const [large, listed, long] = services.store.model.mapsOf(shop.id) as [
    SourceMapRecord,
    SourceMapRecord,
    SourceMapRecord,
  ];
  const { mapReader } = services;
  await Promise.all([mapReader.locate(large, 1, 1), mapReader.locate(large, 1, 2)]);
  const known = reads.count;
  for (let column = 3; column < 10; column++) await mapReader.locate(large, 1, column);
  expect(reads.count).toBe(known);
  const [sources, again] = await Promise.all([mapReader.sourcesOf(listed), mapReader.sourcesOf(listed)]);
  expect(sources).toHaveLength(12_000);
  expect(again).toBe(sources);
  expect(await mapReader.sourcesOf(listed)).toBe(sources);
  // A list of this size would evict everything else from the cache.
  expect(await mapReader.sourcesOf(long)).toEqual([]);
});

test('the debug ids of a report are read once for all its causes', async () => {
  const { projects, upload, services } = service;
  const [shop] = projects;
  await upload(shop, cart, { file });
  let times = 0;
  const debug_ids = new Proxy<Record<string, string>>(
    { 'https://shop.example/other.js': '85314830-023f-4cf1-a267-535f4e37bb17' },
    { ownKeys: (ids) => (times++, Reflect.ownKeys(ids)) },
  );
  const causes = Array.from(
    { length: 20 },
    (_, n) => `Caused by: Error: ${n}\n    at a (https://shop.example/${file}:1:1)`,
  );
  const stack = parseStack([stacktrace, ...causes].join('\n'));
  expect(stack.causes.length).toBeGreaterThan(5);
  const facts = { type: 'Error', message: 'It broke', url: null, release: null, debug_ids };
  await symbolicateReport(services, shop.id, { facts, stack });
  expect(times).toBe(1);
});

const renamed = (path: string): object => ({
  ...cart,
  sources: [path, 'src/main.ts'],
  sourcesContent: ['one();\ntwo();\nthree();\nfour();', 'main();'],
});

test('a map and its renamed files become visible together', async () => {
  const { projects, upload, services } = service;
  const [shop] = projects;
  const { model } = services.store;
  await upload(shop, renamed('src/cart.ts'), { file, release: '1' });
  const seen: string[] = [];
  const unfollow = services.store.onCommit(
    () => void seen.push(`${model.mapsOf(shop.id).length} maps, ${model.renamesOf(shop.id).size} renames`),
  );
  await upload(shop, renamed('src/basket.ts'), { file, release: '2' });
  unfollow();
  expect(new Set(seen)).toEqual(new Set(['2 maps, 1 renames']));
});

test('a map that cannot be compared with the previous release is rejected and leaves no blob', async () => {
  const { projects, upload, services, reads } = service;
  const [shop] = projects;
  await upload(shop, renamed('src/cart.ts'), { file, release: '1' });
  const before = await services.store.blobs.names();
  reads.areFailing = true;
  const next = renamed('src/basket.ts');
  await expect(upload(shop, next, { file, release: '2' })).rejects.toMatchObject({ code: 'storage_unavailable' });
  reads.areFailing = false;
  expect(await services.store.blobs.names()).toEqual(before);
  await upload(shop, next, { file, release: '2' });
  expect(services.store.model.renamesOf(shop.id)).toEqual(new Map([['src/basket.ts', 'src/cart.ts']]));
});

test('compares the sources of a large release with yields in between', async () => {
  const { projects, upload, services } = service;
  const [shop] = projects;
  const large = mapOf(10_000, 12);
  for (const release of ['1', '2']) await upload(shop, large, { file, release });
  const [map] = services.store.model.mapsOf(shop.id);
  expect(await services.mapReader.sourcesOf(map as SourceMapRecord)).toHaveLength(10_000);
  const received = await receiveMap(services, JSON.stringify(large));
  // Only the list of the app's own files is not cached.
  let breaks = 0;
  let isOver = false;
  const count = (): void => {
    breaks++;
    if (!isOver) setImmediate(count);
  };
  count();
  const further = { fileName: `${file}.map`, received, release: '3', url: null };
  await uploadSourceMap(services, operatorOf(shop), shop, further);
  isOver = true;
  expect(breaks).toBeGreaterThan(15);
});
