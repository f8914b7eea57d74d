import { expect, test } from 'vitest';
import { Transaction } from '../../../src/store/log/transaction.ts';
import { Model } from '../../../src/store/model/model.ts';
import type { UserRecord } from '../../../src/store/records/account-records.ts';
import type { SourceMapRecord } from '../../../src/store/records/source-map-records.ts';

const user = (id: number, email: string): UserRecord => ({
  id,
  team_id: 1,
  email,
  name: null,
  role: 'member',
  password: null,
  created_at: '2026-11-20T09:00:00.000Z',
});

/** Begins a transaction on a model with the users `a` and `b`. */
function beginWithTwoUsers(): Transaction {
  const model = new Model(1);
  for (const record of [user(1, 'a'), user(2, 'b')]) model.apply({ kind: 'put', table: 'users', record }, 0, null);
  return new Transaction(model, 0);
}

test('find() sees the rows that the transaction has put or removed', () => {
  const transaction = beginWithTwoUsers();
  transaction.put('users', user(3, 'c'));
  transaction.remove('users', 1);
  expect(transaction.find('users', 'c')?.id).toBe(3);
  expect(transaction.find('users', 'a')).toBeUndefined();
  expect(transaction.find('users', 'b')?.id).toBe(2);
});

test('a key that the transaction has changed is free for another row', () => {
  const transaction = beginWithTwoUsers();
  transaction.put('users', user(1, 'z'));
  expect(transaction.find('users', 'a')).toBeUndefined();
  expect(transaction.find('users', 'z')?.id).toBe(1);
  transaction.put('users', user(3, 'a'));
  expect(transaction.find('users', 'a')?.id).toBe(3);
});

test('rows() returns the rows of the model with the changes of the transaction', () => {
  const transaction = beginWithTwoUsers();
  transaction.put('users', user(3, 'c'));
  transaction.put('users', user(2, 'y'));
  transaction.remove('users', 1);
  expect([...transaction.rows('users')].map(({ email }) => email).toSorted()).toEqual(['c', 'y']);
});

test('haveMapsChanged() is true only for the project whose maps have changed', () => {
  const transaction = beginWithTwoUsers();
  const none = transaction.model.mapsOf(1);
  transaction.put('source_maps', { id: 1, project_id: 2 } as SourceMapRecord);
  expect([transaction.haveMapsChanged(1, none), transaction.haveMapsChanged(2, none)]).toEqual([false, true]);
  transaction.model.apply(
    { kind: 'put', table: 'source_maps', record: { id: 7, project_id: 1 } as SourceMapRecord },
    0,
    null,
  );
  const one = transaction.model.mapsOf(1);
  expect(transaction.haveMapsChanged(1, one)).toBe(false);
  transaction.remove('source_maps', 7);
  expect(transaction.haveMapsChanged(1, one)).toBe(true);
});
