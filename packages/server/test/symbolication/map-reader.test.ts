import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { openServices, type Services } from '../../src/services.ts';
import type { StorageDriver } from '../../src/store/log/storage-driver.ts';
import { openMemoryDriver } from '../../src/storage/unstorage/memory.ts';
import type { SourceMapRecord } from '../../src/store/records/source-map-records.ts';
import { indexMap } from './index-map.ts';

const content = {
  version: 3,
  sources: ['src/pay.ts'],
  sourcesContent: ['pay();\nagain();\n'],
  names: [],
  mappings: 'AAAA;AACA',
};
const record: SourceMapRecord = {
  id: 1,
  project_id: 1,
  file: 'app.js',
  release: null,
  url: null,
  debug_id: null,
  size: 100,
  sources: 1,
  created_at: '2026-11-10T12:00:00.000Z',
  last_used_at: null,
  blob: 'map-1',
};

let services: Services | null = null;
afterEach(async () => {
  await services?.close();
  services = null;
});

/** Opens a service with the record of a source map, whose blob the test can make unreadable. */
async function open(blob: Uint8Array, index_bytes?: number) {
  const driver = openMemoryDriver();
  const failing = { isOn: false, reads: 0 };
  const orFail = <Result>(work: () => Promise<Result>): Promise<Result> => {
    failing.reads++;
    return failing.isOn ? Promise.reject(new Error('EIO')) : work();
  };
  const { blobs } = driver;
  const watched: StorageDriver['blobs'] = {
    put: (name, bytes) => blobs.put(name, bytes),
    putPieces: (name, pieces) => blobs.putPieces(name, pieces),
    get: (name) => orFail(() => blobs.get(name)),
    read: (name, start, end) => orFail(() => blobs.read(name, start, end)),
    async *getPieces(name) {
      await orFail(async () => undefined);
      yield* blobs.getPieces(name);
    },
    remove: (name) => blobs.remove(name),
    names: () => blobs.names(),
  };
  const config = parseConfig({ storage: 'memory:', logLevel: 'silent' });
  const opened = await openServices(config, { driver: { ...driver, blobs: watched } });
  services = opened;
  await blobs.put(record.blob, blob);
  const map: SourceMapRecord = { ...record, ...(index_bytes !== undefined && { index_bytes }) };
  await opened.store.commit((transaction) => {
    transaction.put('projects', { id: 1, team_id: 1, name: 'Shop', api_key: 'pk_1', created_at: record.created_at });
    transaction.put('source_maps', map);
  });
  const current = (): SourceMapRecord => opened.store.model.tables.source_maps.get(1) ?? map;
  return { services: opened, reader: opened.mapReader, map, current, failing, blobs };
}

describe('a stored map', () => {
  test('that could not be read once is read the next time', async () => {
    const { bytes } = indexMap(content);
    const { reader, map, failing } = await open(bytes, bytes.length);
    failing.isOn = true;
    await expect(reader.locate(map, 1, 1)).rejects.toMatchObject({ code: 'storage_unavailable' });
    failing.isOn = false;
    expect(await reader.locate(map, 1, 1)).toMatchObject({
      file: 'src/pay.ts',
      line: 1,
      context: [{ line: 1 }, { line: 2 }],
    });
  });

  test('is read once for repeated lookups, and never for sources that it lacks', async () => {
    const { bytes } = indexMap(content);
    const { reader, map, failing } = await open(bytes, bytes.length);
    await Promise.all([reader.locate(map, 1, 1), reader.locate(map, 1, 1), reader.locate(map, 7, 1)]);
    const { reads } = failing;
    expect(reader.locate(map, 1, 1)).toMatchObject({ file: 'src/pay.ts' });
    expect(reader.locate(map, 7, 1)).toEqual({ file: null, lines: 2 });
    await reader.locate(map, 2, 50);
    // The blocks are cached, whatever position is looked up.
    expect(failing.reads).toBe(reads);
    expect(reader.usage()).toMatchObject({ hits: 2, misses: 4, bytes: expect.any(Number) });
  });

  test('that is damaged is not read again for every frame', async () => {
    const { reader, map, failing } = await open(Buffer.alloc(500, 7), 500);
    await expect(reader.locate(map, 1, 1)).rejects.toThrow('damaged');
    const { reads } = failing;
    for (let column = 1; column < 50; column++) await expect(reader.locate(map, 1, column)).rejects.toThrow('damaged');
    expect(failing.reads).toBe(reads);
    await expect(reader.locate({ ...map, blob: 'map-2' }, 1, 1)).rejects.toThrow('it is missing');
  });
});

describe('a map that was stored before indexes existed', () => {
  const old = gzipSync(`)]}'\n${JSON.stringify(content)}`);

  test('gets an index on first use, and the map itself is removed', async () => {
    const { reader, map, current, blobs } = await open(old);
    const all = await Promise.all([reader.locate(map, 1, 1), reader.locate(map, 2, 1), reader.locate(map, 9, 1)]);
    expect(all).toMatchObject([{ file: 'src/pay.ts', line: 1 }, { line: 2 }, { file: null, lines: 2 }]);
    const { blob, hash, index_bytes, ...rest } = current();
    expect({ ...rest, blob: map.blob }).toEqual(map);
    expect([hash, index_bytes]).toEqual([expect.stringMatching(/^[\da-f]{64}$/), expect.any(Number)]);
    expect(await blobs.names()).toEqual([blob]);
    // Also for a caller that still holds the old record.
    expect(await reader.locate(map, 2, 9)).toMatchObject({ line: 2 });
    expect(await reader.locate(current(), 2, 10)).toMatchObject({ line: 2 });
    expect(await blobs.names()).toEqual([blob]);
  });

  test('gets an index the next time if the storage failed', async () => {
    const { reader, map, failing, current } = await open(old);
    failing.isOn = true;
    await expect(reader.locate(map, 1, 1)).rejects.toMatchObject({ code: 'storage_unavailable' });
    failing.isOn = false;
    expect(await reader.locate(map, 1, 1)).toMatchObject({ file: 'src/pay.ts' });
    expect(current().blob).not.toBe(map.blob);
  });

  test('that is deleted during indexing leaves no blob', async () => {
    const { services: opened, reader, map, blobs } = await open(old);
    const located = reader.locate(map, 1, 1);
    const removed = opened.store.commit((transaction) => transaction.remove('source_maps', 1));
    await Promise.allSettled([located, removed]);
    await expect.poll(() => blobs.names()).toEqual([]);
  });

  test('counts as damaged if it cannot be read', async () => {
    for (const wrong of [Buffer.from('no gzip'), old.subarray(0, 40), gzipSync('no map')]) {
      const { reader, map } = await open(wrong);
      await expect(reader.locate(map, 1, 1)).rejects.toThrow('damaged');
      await services?.close();
    }
  });
});
