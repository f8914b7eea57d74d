import { afterEach, expect, test } from 'vitest';
import { largeGroupBytes, maxTagChars, maxTagValues } from '../../../src/store/structures/memory-limits.ts';
import { BytesReader } from '../../../src/store/codec/bytes-reader.ts';
import { BytesWriter } from '../../../src/store/codec/bytes-writer.ts';
import { TopValues } from '../../../src/store/structures/top-values.ts';
import { openService, type OpenService } from '../../test-utils/open-service.ts';
import { cleanUp, temporaryFolder } from '../../test-utils/describe-service.ts';

let service: OpenService | undefined;
afterEach(async () => {
  await service?.close();
  service = undefined;
  await cleanUp();
});

interface Details {
  count: number;
  tags: { url: { value: string; count: number }[] };
  other_tags: { url: number };
}

async function open(storage: string): Promise<OpenService> {
  service = await openService({ storage });
  return service;
}

const detailsOf = async (id: number): Promise<Details> => (await service!.call<Details>('GET', `errors/${id}`)).body;

test('1,000 distinct URLs of 2 kB take bounded room in a group, also after a restart and a compaction', async () => {
  const storage = `file:${await temporaryFolder()}`;
  const { call, services } = await open(storage);
  const project = (await call<{ id: number; api_key: string }>('POST', 'projects', { body: { name: 'Shop' } })).body;
  const send = (url: string): Promise<{ body: { error_group_id: number } }> =>
    call('POST', 'errors', { body: { project_api_key: project.api_key, message: 'It broke', url } });
  const { error_group_id: id } = (await send('https://shop.example/cart?step=0')).body;
  for (let index = 0; index < 20; index++) await send(`https://shop.example/cart?step=${index}`);
  for (let index = 0; index < 1_000; index += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, n) => send(`https://shop.example/${index + n}/${'x'.repeat(1_990)}?q=1`)),
    );

  const bytesOf = (of: OpenService): number => {
    const writer = new BytesWriter();
    of.services.store.model.groups.get(id)?.pack(writer);
    return writer.size;
  };
  const expectBounded = async (of: OpenService): Promise<void> => {
    const { count, tags, other_tags: others } = await detailsOf(id);
    expect(tags.url[0]).toEqual({ value: 'https://shop.example/cart', count: 21 });
    expect(Math.max(...tags.url.map(({ value }) => value.length))).toBeLessThanOrEqual(200);
    expect(tags.url.reduce((sum, { count: times }) => sum + times, others.url)).toBe(count);
    expect(bytesOf(of)).toBeLessThan(maxTagChars + 20 * maxTagValues + largeGroupBytes);
  };
  expect(services.store.model.groups.sizes.groupsOf(project.id)).toBe(1);
  await expectBounded(service!);
  await service!.close();
  const restarted = await open(storage);
  await expectBounded(restarted);
  await restarted.services.store.compact();
  await restarted.close();
  await expectBounded(await open(storage));
});

test('values that an earlier version has packed without a limit are limited when they are read', () => {
  const writer = new BytesWriter();
  writer.uint(1_000);
  for (let index = 0; index < 1_000; index++) {
    writer.text(`https://shop.example/${index}`.padEnd(2_000, 'x'));
    writer.uint(index === 500 ? 9 : 1);
  }
  const reader = new BytesReader();
  reader.open(writer.bytes, 0, writer.size);
  const values = TopValues.unpack(reader, (url) => url.slice(0, 200));
  expect(values.top(1)).toEqual([{ value: 'https://shop.example/500'.padEnd(200, 'x'), count: 9 }]);
  expect(values.other(1)).toBe(999);
  const packed = new BytesWriter();
  values.pack(packed);
  expect(packed.size).toBeLessThan(maxTagChars + 20 * maxTagValues);
});

test('without room for new values, an unknown value counts as other, but the first one of a group is counted', () => {
  const values = new TopValues();
  for (const value of ['a', 'b', 'a', 'c']) values.add(value, false);
  expect(values.top(10)).toEqual([{ value: 'a', count: 2 }]);
  expect([values.other(10), values.has('b')]).toEqual([2, false]);
});
