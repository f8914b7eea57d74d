import type { ListedSourceMap, Page, SourceMapUsage } from '@service/protocol';
import { afterEach, expect, test } from 'vitest';
import { expireSourceMaps } from '../../src/source-maps/expire-source-maps.ts';
import { machineTiming } from '../../src/time/timing.ts';
import { dayMs } from '../../src/time/units.ts';
import { encodeForm } from '../test-utils/encode-form.ts';
import { openService, type OpenService } from '../test-utils/open-service.ts';

let service: OpenService;
afterEach(() => service.close());

/** Uploads a map to the first project. */
async function upload(name: string): Promise<void> {
  const form = new FormData();
  form.set('file', new Blob([`{"version":3,"sources":["${name}.ts"],"names":[],"mappings":"AAAA"}`]), `${name}.js.map`);
  const { bytes, contentType } = await encodeForm(form);
  const { status } = await service.call('POST', 'projects/1/source-maps', {
    body: bytes,
    headers: { 'content-type': contentType },
  });
  expect(status).toBe(201);
}

const files = async (): Promise<string[]> =>
  (await service.call<Page<ListedSourceMap>>('GET', 'projects/1/source-maps')).body.items.map(({ file }) => file);

test('a map that resolves no stack for the set time is deleted with its blob, and a used one stays', async () => {
  let now = Date.now();
  const timing = { ...machineTiming, now: () => now };
  service = await openService({ sourceMapDays: 10 }, { now: () => now, timing });
  await service.call('POST', 'projects', { body: { name: 'Shop' } });
  await upload('old');
  now += 6 * dayMs;
  await upload('new');
  now += 6 * dayMs;
  await expireSourceMaps(service.services);
  expect(await files()).toEqual(['new.js']);
  expect(await service.services.store.blobs.names()).toHaveLength(1);
  expect((await service.call<SourceMapUsage>('GET', 'source-maps/usage')).body).toMatchObject({
    maps: 1,
    expire_days: 10,
  });
});

test('no map is deleted by a clock that is suddenly far ahead', async () => {
  let now = Date.now();
  service = await openService({ sourceMapDays: 10 }, { now: () => now });
  await service.call('POST', 'projects', { body: { name: 'Shop' } });
  await upload('old');
  now += 20 * dayMs;
  await expireSourceMaps(service.services);
  expect(await files()).toEqual(['old.js']);
});
