import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { randomBelow } from '../../../../../test/test-utils/seeded-random.mjs';
import { ResponseIndex } from '../../../src/store/model/response-index.ts';

const fingerprint = 'f0'.repeat(16);

function response(group: number): { error_group_id: number; fingerprint: string; is_new_group: boolean } {
  return { error_group_id: group, fingerprint, is_new_group: group % 3 === 0 };
}

test('a response is found by its project and event id, with all its fields', () => {
  const responses = new ResponseIndex(100);
  const id = randomUUID();
  const at = Date.UTC(2026, 10, 21, 12, 30, 15, 123);
  responses.add(7, id, at, { error_group_id: 2 ** 33 + 5, fingerprint, is_new_group: true });
  const first = { success: true, error_group_id: 2 ** 33 + 5, fingerprint, is_new_group: true };
  expect(responses.find(7, id)).toEqual({ at, response: first });
  expect(responses.find(8, id)).toBeUndefined();
  expect(responses.find(7, randomUUID())).toBeUndefined();
});

test('the oldest responses are evicted, and a response that is added again is the newest', () => {
  const responses = new ResponseIndex(3);
  const ids = Array.from({ length: 5 }, () => randomUUID());
  const [a = '', b = '', c = '', d = '', e = ''] = ids;
  responses.add(1, a, 1, response(1));
  responses.add(1, b, 2, response(2));
  responses.add(1, c, 3, response(3));
  responses.add(1, a, 4, response(4));
  responses.add(1, d, 5, response(5));
  responses.add(1, e, 6, response(6));
  expect(ids.map((id) => responses.find(1, id)?.at)).toEqual([4, undefined, undefined, 5, 6]);
});

test('the response index has the same entries as a plain map of the newest responses', () => {
  const random = randomBelow(1);
  const maxEntries = 5_000;
  const responses = new ResponseIndex(maxEntries);
  const ids = Array.from({ length: 8_000 }, () => randomUUID());
  const known = new Map<string, { project: number; id: string; at: number }>();
  for (let at = 1; at <= 60_000; at++) {
    const id = ids[random(ids.length)] ?? '';
    const project = 1 + random(3);
    responses.add(project, id, at, response(at));
    known.delete(`${project}:${id}`);
    known.set(`${project}:${id}`, { project, id, at });
    if (known.size > maxEntries) known.delete(known.keys().next().value ?? '');
    if (at % 15_000 === 0) {
      responses.forgetProject(2);
      for (const [key, { project: of }] of known) if (of === 2) known.delete(key);
    }
  }
  expect(responses.size).toBe(known.size);
  for (const project of [1, 2, 3]) {
    for (const id of ids) expect(responses.find(project, id)?.at).toBe(known.get(`${project}:${id}`)?.at);
  }
});

test('unpacked responses count as older than responses that were added since', () => {
  const responses = new ResponseIndex(3_000);
  const ids = Array.from({ length: 4_000 }, () => randomUUID());
  for (const [index, id] of ids.slice(0, 3_000).entries()) responses.add(1, id, index, response(index));
  responses.add(1, ids[10] ?? '', 5_000, response(5_000));

  const again = new ResponseIndex(3_000);
  const packed = responses.pack();
  for (const [index, id] of ids.slice(3_000).entries()) {
    // Unpack one part, then add responses to both, as a log does.
    if (index % 100 === 0) {
      const part = packed.next();
      if (!part.done) again.unpack(part.value);
    }
    responses.add(1, id, 10_000 + index, response(index));
    again.add(1, id, 10_000 + index, response(index));
  }
  for (const part of packed) again.unpack(part);
  expect(again.size).toBe(responses.size);
  for (const id of ids) expect(again.find(1, id)).toEqual(responses.find(1, id));

  // The order is the same, too: both evict the oldest first.
  for (let index = 0; index < 1_500; index++) {
    const id = randomUUID();
    responses.add(1, id, 20_000 + index, response(index));
    again.add(1, id, 20_000 + index, response(index));
  }
  for (const id of ids) expect(again.find(1, id)).toEqual(responses.find(1, id));
});
