import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { randomBelow } from '../../../../test/test-utils/seeded-random.mjs';
import { IdempotencyIndex } from '../../src/store/model/idempotency-index.ts';

const fingerprint = 'f0'.repeat(16);

function answer(group: number): { error_group_id: number; fingerprint: string; is_new_group: boolean } {
  return { error_group_id: group, fingerprint, is_new_group: group % 3 === 0 };
}

test('an answer is found by its project and event id, with all it said', () => {
  const answers = new IdempotencyIndex(100);
  const id = randomUUID();
  const at = Date.UTC(2026, 10, 21, 12, 30, 15, 123);
  answers.add(7, id, at, { error_group_id: 2 ** 33 + 5, fingerprint, is_new_group: true });
  const first = { success: true, error_group_id: 2 ** 33 + 5, fingerprint, is_new_group: true };
  expect(answers.find(7, id)).toEqual({ at, answer: first });
  expect(answers.find(8, id)).toBeUndefined();
  expect(answers.find(7, randomUUID())).toBeUndefined();
});

test('the oldest give way, and one that is given again is the newest', () => {
  const answers = new IdempotencyIndex(3);
  const ids = Array.from({ length: 5 }, () => randomUUID());
  const [a = '', b = '', c = '', d = '', e = ''] = ids;
  answers.add(1, a, 1, answer(1));
  answers.add(1, b, 2, answer(2));
  answers.add(1, c, 3, answer(3));
  answers.add(1, a, 4, answer(4));
  answers.add(1, d, 5, answer(5));
  answers.add(1, e, 6, answer(6));
  expect(ids.map((id) => answers.find(1, id)?.at)).toEqual([4, undefined, undefined, 5, 6]);
});

test('it knows what a plain list of the newest would know, whatever comes and goes', () => {
  const random = randomBelow(1);
  const most = 5_000;
  const answers = new IdempotencyIndex(most);
  const ids = Array.from({ length: 8_000 }, () => randomUUID());
  const known = new Map<string, { project: number; id: string; at: number }>();
  for (let at = 1; at <= 60_000; at++) {
    const id = ids[random(ids.length)] ?? '';
    const project = 1 + random(3);
    answers.add(project, id, at, answer(at));
    known.delete(`${project}:${id}`);
    known.set(`${project}:${id}`, { project, id, at });
    if (known.size > most) known.delete(known.keys().next().value ?? '');
    if (at % 15_000 === 0) {
      answers.forgetProject(2);
      for (const [key, { project: of }] of known) if (of === 2) known.delete(key);
    }
  }
  expect(answers.size).toBe(known.size);
  for (const project of [1, 2, 3]) {
    for (const id of ids) expect(answers.find(project, id)?.at).toBe(known.get(`${project}:${id}`)?.at);
  }
});

test('packed answers come back older than whatever came meanwhile', () => {
  const answers = new IdempotencyIndex(3_000);
  const ids = Array.from({ length: 4_000 }, () => randomUUID());
  for (const [index, id] of ids.slice(0, 3_000).entries()) answers.add(1, id, index, answer(index));
  answers.add(1, ids[10] ?? '', 5_000, answer(5_000));

  const again = new IdempotencyIndex(3_000);
  const packed = answers.pack();
  for (const [index, id] of ids.slice(3_000).entries()) {
    // A part, then some that are new to both, as in a log.
    if (index % 100 === 0) {
      const part = packed.next();
      if (!part.done) again.unpack(part.value);
    }
    answers.add(1, id, 10_000 + index, answer(index));
    again.add(1, id, 10_000 + index, answer(index));
  }
  for (const part of packed) again.unpack(part);
  expect(again.size).toBe(answers.size);
  for (const id of ids) expect(again.find(1, id)).toEqual(answers.find(1, id));

  // In the same order too: the oldest go first in both.
  for (let index = 0; index < 1_500; index++) {
    const id = randomUUID();
    answers.add(1, id, 20_000 + index, answer(index));
    again.add(1, id, 20_000 + index, answer(index));
  }
  for (const id of ids) expect(again.find(1, id)).toEqual(answers.find(1, id));
});
