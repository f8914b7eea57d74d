import { expect, test } from 'vitest';
import { Draft } from '../../src/store/log/transaction.ts';
import { Model } from '../../src/store/model/model.ts';
import type { SourceMapRecord, UserRecord } from '../../src/store/records/records.ts';

const user = (id: number, email: string): UserRecord => ({
  id,
  team_id: 1,
  email,
  name: null,
  role: 'member',
  password: null,
  created_at: '2026-11-20T09:00:00.000Z',
});

/** Of a batch over a model that knows `a` and `b`. */
function draftOverTwo(): Draft {
  const model = new Model(1);
  for (const record of [user(1, 'a'), user(2, 'b')]) model.fold({ kind: 'put', table: 'users', record }, 0, null);
  return new Draft(model, 0);
}

test('a row that this batch has put is found by its key, and one that it has removed is not', () => {
  const draft = draftOverTwo();
  draft.put('users', user(3, 'c'));
  draft.remove('users', 1);
  expect(draft.find('users', 'c')?.id).toBe(3);
  expect(draft.find('users', 'a')).toBeUndefined();
  expect(draft.find('users', 'b')?.id).toBe(2);
});

test('a key that this batch has changed is free for another row', () => {
  const draft = draftOverTwo();
  draft.put('users', user(1, 'z'));
  expect(draft.find('users', 'a')).toBeUndefined();
  expect(draft.find('users', 'z')?.id).toBe(1);
  draft.put('users', user(3, 'a'));
  expect(draft.find('users', 'a')?.id).toBe(3);
});

test('the rows are those of the model as this batch leaves them', () => {
  const draft = draftOverTwo();
  draft.put('users', user(3, 'c'));
  draft.put('users', user(2, 'y'));
  draft.remove('users', 1);
  expect([...draft.rows('users')].map(({ email }) => email).toSorted()).toEqual(['c', 'y']);
});

test('only the project whose maps a batch changes has other maps', () => {
  const draft = draftOverTwo();
  const none = draft.model.mapsOf(1);
  draft.put('source_maps', { id: 1, project_id: 2 } as SourceMapRecord);
  expect([draft.haveMapsChanged(1, none), draft.haveMapsChanged(2, none)]).toEqual([false, true]);
  draft.model.fold({ kind: 'put', table: 'source_maps', record: { id: 7, project_id: 1 } as SourceMapRecord }, 0, null);
  const one = draft.model.mapsOf(1);
  expect(draft.haveMapsChanged(1, one)).toBe(false);
  draft.remove('source_maps', 7);
  expect(draft.haveMapsChanged(1, one)).toBe(true);
});
