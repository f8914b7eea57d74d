import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import type { SourceMapRecord } from '../../src/store/records/source-map-records.ts';
import { cleanUp } from '../test-utils/describe-service.ts';
import { openService, type OpenService } from '../test-utils/open-service.ts';
import { storageNames, storages } from '../storage/storages.ts';
import { isThorough } from '../../../../test/test-utils/depth.ts';

afterEach(cleanUp);

/** The three main kinds of storage: files, items of an unstorage driver, a database. A short run tests files. */
const kinds = storageNames().filter((name) => (isThorough ? ['file', 'fs', 'sqlite'] : ['file']).includes(name));

/** Large enough that every storage splits it, even when packed. */
const filling = Array.from({ length: 60_000 }, (_, line) => `// ${Math.imul(line, 2_654_435_761).toString(36)}`);
const map = {
  version: 3,
  sources: ['src/cart.ts', 'src/filling.ts'],
  sourcesContent: ['function add() { fail(); }', filling.join('\n')],
  names: [],
  mappings: 'AAAiB',
};
const record: Omit<SourceMapRecord, 'id' | 'project_id' | 'blob'> = {
  file: 'app-3f2a9c1b.js',
  release: '1',
  url: null,
  debug_id: null,
  size: JSON.stringify(map).length,
  sources: 2,
  created_at: '2026-11-10T12:00:00.000Z',
  last_used_at: null,
};

describe.each(kinds)('a map that was stored on %s before indexes existed', (name) => {
  test('resolves frames after an upgrade and after every later restart', async () => {
    const open = await storages[name]();
    await storeAsBefore(await openService({}, { driver: await open() }));
    for (let start = 0; start < 2; start++) {
      const { services, call, close } = await openService({}, { driver: await open() });
      const [project] = services.store.model.tables.projects.values();
      const stacktrace = 'Error: x\n    at a (https://shop.example/app-3f2a9c1b.js:1:1)';
      const report = { project_api_key: project?.api_key, message: 'x', release: '1', stacktrace };
      const { body } = await call('POST', 'errors', { body: report });
      const group = await call('GET', `errors/${body.error_group_id}`);
      expect(group.body.latest_report?.frames).toMatchObject([
        { file: 'src/cart.ts', function: 'add', line: 1, resolved: true, context: [{ text: map.sourcesContent[0] }] },
      ]);
      const [stored] = services.store.model.tables.source_maps.values();
      expect(stored).toMatchObject({
        ...record,
        id: 7,
        index_bytes: expect.any(Number),
        last_used_at: expect.any(String),
      });
      await close();
    }
  });
});

/** Stores a map as former versions did: the map itself, gzipped, in pieces as they arrived. */
async function storeAsBefore({ services, call, close }: OpenService): Promise<void> {
  const { body: project } = await call<{ id: number }>('POST', 'projects', { body: { name: 'Shop' } });
  const blob = 'map-of-an-older-server';
  const packed = gzipSync(JSON.stringify(map));
  expect(packed.length).toBeGreaterThan(256 * 1024);
  await services.store.blobs.putPieces(
    blob,
    (async function* () {
      for (let at = 0; at < packed.length; at += 10_000) yield packed.subarray(at, at + 10_000);
    })(),
  );
  await services.store.commit((transaction) =>
    transaction.put('source_maps', { ...record, id: 7, project_id: project.id, blob }),
  );
  await close();
}
