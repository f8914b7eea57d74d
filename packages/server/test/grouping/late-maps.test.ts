import { SourceMapGenerator } from 'source-map';
import { expect, test } from 'vitest';
import { ingest } from '../../src/ingest/ingest.ts';
import { uploadSourceMap } from '../../src/source-maps/upload-source-map.ts';
import type { ProjectRecord } from '../../src/store/records/project-records.ts';
import { describeService, type TestResponse, type TestService } from '../test-utils/describe-service.ts';
import { openService } from '../test-utils/open-service.ts';
import { operatorOf, receiveMap } from '../test-utils/upload-map.ts';

const script = 'https://shop.example/assets/app-3f2a9c1b.js';
const fields = {
  message: 'Cart is empty',
  type: 'Error',
  stacktrace: `Error: Cart is empty\n    at a (${script}:1:1)`,
};

/** Maps the location of the report to `add` in src/cart.ts. */
function sourceMap(): string {
  const generator = new SourceMapGenerator({ file: 'app-3f2a9c1b.js' });
  generator.addMapping({ generated: { line: 1, column: 0 }, original: { line: 1, column: 17 }, source: 'src/cart.ts' });
  generator.setSourceContent('src/cart.ts', 'function add() { fail(); }');
  return JSON.stringify(generator.toJSON());
}

function upload(service: TestService, release?: string): Promise<TestResponse<{ id: number }>> {
  return uploadAs(service, 'app-3f2a9c1b.js.map', sourceMap(), release);
}

function uploadAs(
  { call }: TestService,
  name: string,
  map: string,
  release?: string,
  url?: string,
): Promise<TestResponse<{ id: number }>> {
  const body = new FormData();
  if (release !== undefined) body.set('release', release);
  if (url !== undefined) body.set('url', url);
  body.set('file', new Blob([map]), name);
  return call('POST', 'projects/1/source-maps', { body });
}

/**
 * Returns a report of an error in a second bundle, called by the bundle of the app. Column 1 is in `pay` of
 * src/bank.ts, column 101 in `refund`.
 */
function inBank(column: 1 | 101): typeof fields {
  const frames = [`at b (https://shop.example/assets/bank-77aa01cd.js:1:${column})`, `at a (${script}:1:1)`];
  return { ...fields, stacktrace: ['Error: Cart is empty', ...frames].join('\n    ') };
}

function uploadBank(service: TestService): Promise<TestResponse<{ id: number }>> {
  const generator = new SourceMapGenerator({ file: 'bank-77aa01cd.js' });
  for (const line of [1, 2])
    generator.addMapping({
      generated: { line: 1, column: (line - 1) * 100 },
      original: { line, column: 20 },
      source: 'src/bank.ts',
    });
  generator.setSourceContent('src/bank.ts', 'function pay() {    fail(); }\nfunction refund() { fail(); }');
  return uploadAs(service, 'bank-77aa01cd.js.map', JSON.stringify(generator.toJSON()));
}

const cdn = 'https://cdn.example/assets';
/** A report whose stack has two scripts on a CDN. */
const onCdn = {
  ...fields,
  url: 'https://shop.example/cart',
  stacktrace: `Error: Cart is empty\n    at a (${cdn}/cart-77aa01cd.js:1:900)\n    at b (${cdn}/app-3f2a9c1b.js:1:1)`,
};

describeService('a source map that is uploaded after its reports', (start, driver) => {
  test('a late map that marks CDN scripts as in_app keeps the group, and updates the culprit of every release', async () => {
    const service = await start();
    const { body: first } = await service.report({ ...onCdn, release: '1' });
    const currentGroup = async () => (await service.call('GET', `errors/${first.error_group_id}`)).body;
    const inAppFlags = async () => (await currentGroup()).latest_report?.frames.map(({ in_app }) => in_app);
    expect(await inAppFlags()).toEqual([false, false]);
    expect(await currentGroup()).toMatchObject({ culprit: null });

    const { body: map } = await uploadAs(service, 'a.js.map', sourceMap(), '2', `${cdn}/admin.js`);
    expect(await inAppFlags()).toEqual([true, true]);
    await expect.poll(async () => (await currentGroup()).culprit).toBe('assets/cart.js');
    const sameGroup = { error_group_id: first.error_group_id, fingerprint: first.fingerprint, is_new_group: false };
    expect((await service.report({ ...onCdn, release: '1' })).body).toMatchObject(sameGroup);

    await uploadAs(service, 'app-3f2a9c1b.js.map', sourceMap(), '1');
    if (driver === 'file:') await service.restart();
    expect((await service.report({ ...onCdn, release: '1' })).body).toMatchObject(sameGroup);
    expect((await currentGroup()).latest_report?.frames).toMatchObject([
      { in_app: true, resolved: false },
      { in_app: true, resolved: true, file: 'src/cart.ts' },
    ]);

    await service.call('DELETE', `projects/1/source-maps/${map.id}`);
    expect(await inAppFlags()).toEqual([false, true]);
    expect((await service.call('GET', 'errors')).body.total).toBe(1);
  });

  test('deleting a group with an alias frees both of its fingerprints', async () => {
    const service = await start();
    const { body: first } = await service.report(fields);
    const { body: map } = await upload(service);
    expect((await service.report(fields)).body.error_group_id).toBe(first.error_group_id);
    await service.call('DELETE', `errors/${first.error_group_id}`);
    const { body: second } = await service.report(fields);
    expect(second).toMatchObject({ is_new_group: true });
    await service.call('DELETE', `projects/1/source-maps/${map.id}`);
    const { body: third } = await service.report(fields);
    expect(third).toMatchObject({ is_new_group: true, fingerprint: first.fingerprint });
    expect(new Set([first, second, third].map(({ error_group_id }) => error_group_id)).size).toBe(3);
    expect(second.fingerprint).not.toBe(first.fingerprint);
  });

  test('a group keeps its reports when its map is deleted and uploaded again', async () => {
    const service = await start();
    const { body: first } = await service.report(fields);
    const ids = [];
    for (let round = 0; round < 2; round++) {
      const { body: map } = await upload(service);
      ids.push((await service.report(fields)).body.error_group_id);
      await service.call('DELETE', `projects/1/source-maps/${map.id}`);
      ids.push((await service.report(fields)).body.error_group_id);
    }
    expect(new Set(ids)).toEqual(new Set([first.error_group_id]));
    expect((await service.call('GET', 'errors')).body.total).toBe(1);
  });

  test('late maps of two bundles keep an error in one group, in either order', async () => {
    for (const uploads of [
      [upload, uploadBank],
      [uploadBank, upload],
    ] as const) {
      const service = await start();
      const ids = [(await service.report(inBank(1))).body];
      for (const next of uploads) {
        await next(service);
        ids.push((await service.report(inBank(1))).body);
      }
      if (driver === 'file:') await service.restart();
      ids.push((await service.report(inBank(1))).body);
      const { error_group_id, fingerprint } = ids[0]!;
      for (const later of ids.slice(1))
        expect(later).toMatchObject({ error_group_id, fingerprint, is_new_group: false });
      // Deleting the group also deletes its aliases.
      await service.call('DELETE', `errors/${error_group_id}`);
      const { body: again } = await service.report(inBank(1));
      expect(again).toMatchObject({ is_new_group: true });
      expect(again.fingerprint).not.toBe(fingerprint);
    }
  });

  test('a group that was opened between two map uploads keeps its reports after the second', async () => {
    const service = await start();
    await upload(service);
    const { body: first } = await service.report(inBank(1));
    await uploadBank(service);
    expect((await service.report(inBank(1))).body).toEqual({ ...first, is_new_group: false });
  });

  test('errors that only the second map distinguishes get one new group', async () => {
    const service = await start();
    const groupOf = async (column: 1 | 101) => (await service.report(inBank(column))).body.error_group_id;
    const first = await groupOf(1);
    await upload(service);
    expect(await groupOf(101)).toBe(first);
    await uploadBank(service);
    expect(await groupOf(1)).toBe(first);
    const other = await groupOf(101);
    expect(other).not.toBe(first);
    expect([await groupOf(1), await groupOf(101)]).toEqual([first, other]);
  });

  test('the culprit from a late map appears in lists and searches, also after a restart', async () => {
    const service = await start();
    await service.report({ ...fields, release: '1' });
    await service.report({ ...fields, release: '2' });
    await service.report({ message: 'In a release without maps', release: '3' });
    await upload(service, '1');
    await upload(service, '2');
    if (driver === 'file:') await service.restart();
    const found = async () => (await service.call('GET', 'errors?search=cart.ts')).body.items ?? [];
    await expect.poll(found).toMatchObject([{ error_group_id: 1, culprit: 'add (src/cart.ts)', count: 2 }]);
    if (driver === 'file:') await service.restart();
    expect(await found()).toHaveLength(1);
  });

  test('reports that arrive during the upload of a map open one group', async () => {
    const service = await start();
    const [, ...responses] = await Promise.all([
      upload(service),
      ...Array.from({ length: 30 }, () => service.report(fields)),
    ]);
    const { body: later } = await service.report(fields);
    expect(new Set(responses.map(({ body }) => body.error_group_id))).toEqual(new Set([later.error_group_id]));
  });
});

test('a map that is uploaded while a report is ingested resolves that report', async () => {
  const { services, call, close } = await openService();
  const { body: project } = await call<ProjectRecord>('POST', 'projects', { body: { name: 'Shop' } });
  const record = services.store.model.tables.projects.get(project.id) as ProjectRecord;
  const received = await receiveMap(services, sourceMap());
  const text = JSON.stringify({ ...fields, project_api_key: project.api_key });
  const body = { value: JSON.parse(text), text, bytes: Buffer.from(text) };
  const fileName = 'app-3f2a9c1b.js.map';
  const [, { error_group_id }] = await Promise.all([
    uploadSourceMap(services, operatorOf(record), record, { fileName, received, release: null, url: null }),
    ingest(services, { json: body, userAgent: null, receivedAt: 0 }),
  ]);
  expect((await call('GET', `errors/${error_group_id}`)).body.grouping?.rule).toBe('source');
  await close();
});
