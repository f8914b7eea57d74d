import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { openServices } from '../../src/services.ts';
import { openMemoryDriver } from '../../src/store/drivers/memory.ts';

const map = {
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
const content = { version: 3, sources: ['src/pay.ts'], names: [], mappings: 'AAAA' };

test.each([100, 100_000_000])('a map that could not be read once is read the next time (%i bytes)', async (size) => {
  const driver = openMemoryDriver();
  let fails = true;
  const blobs = {
    put: (name: string, bytes: Uint8Array) => driver.blobs.put(name, bytes),
    putPieces: (name: string, pieces: AsyncIterable<Uint8Array>) => driver.blobs.putPieces(name, pieces),
    getPieces: (name: string) => driver.blobs.getPieces(name),
    get: (name: string) => (fails ? Promise.reject(new Error('EIO')) : driver.blobs.get(name)),
    remove: (name: string) => driver.blobs.remove(name),
    names: () => driver.blobs.names(),
  };
  const services = await openServices(parseConfig({ storage: 'memory:', logLevel: 'silent' }), {
    driver: { ...driver, blobs },
  });
  await driver.blobs.put(map.blob, gzipSync(JSON.stringify(content)));
  const sourceOf = (): Promise<string | null> =>
    services.maps.use({ ...map, size }, (consumer) => consumer.originalPositionFor({ line: 1, column: 0 }).source);

  await expect(sourceOf()).rejects.toMatchObject({ code: 'storage_unavailable' });
  fails = false;
  expect(await sourceOf()).toBe('src/pay.ts');
  fails = true;
  await expect(services.maps.use({ ...map, blob: 'map-2', size }, () => null)).rejects.toThrow('storage');
  await services.close();
});

test('a map of more positions than memory is good for is not decoded', async () => {
  const driver = openMemoryDriver();
  const services = await openServices(parseConfig({ storage: 'memory:', logLevel: 'silent' }), { driver });
  await driver.blobs.put(map.blob, gzipSync(JSON.stringify({ ...content, mappings: 'A,'.repeat(8_000_001) })));
  await expect(services.maps.use(map, () => null)).rejects.toThrow('too much memory');
  await services.close();
});
