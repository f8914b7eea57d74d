import { expect, test } from 'vitest';
import { Table } from '../../../src/store/records/table.ts';

test('rows are ordered by id, independent of the order of insertion', () => {
  const table = new Table<{ id: number; key: string }>({ uniqueKey: ({ key }) => key });
  for (const id of [7, 3, 5]) table.put({ id, key: `key ${id}` });
  expect(Array.from(table.values(), ({ id }) => id)).toEqual([3, 5, 7]);
  table.put({ id: 3, key: 'another' });
  table.put({ id: 9, key: 'key 9' });
  table.put({ id: 8, key: 'key 8' });
  table.remove(5);
  expect(Array.from(table.values(), ({ id }) => id)).toEqual([3, 7, 8, 9]);
  expect(table.find('another')?.id).toBe(3);
  expect(table.find('key 3')).toBeUndefined();
});

test('the rows of an owner are the same array until one of them changes', () => {
  const table = new Table<{ id: number; owner: number }>({ owner: ({ owner }) => owner });
  for (const id of [7, 3, 5]) table.put({ id, owner: 1 });
  const list = table.of(1);
  expect(list.map(({ id }) => id)).toEqual([3, 5, 7]);
  table.put({ id: 8, owner: 2 });
  table.put({ id: 8, owner: 2 });
  table.remove(8);
  expect(table.of(1)).toBe(list);
  expect(table.of(2)).toEqual([]);
  table.put({ id: 5, owner: 1 });
  table.remove(7);
  expect(table.of(1)).not.toBe(list);
  expect(table.of(1).map(({ id }) => id)).toEqual([3, 5]);
});

test('rows are found by a value that several of them have, until they change it or are removed', () => {
  const table = new Table<{ id: number; hash: string | null }>({ lookups: { hash: ({ hash }) => hash } });
  for (const id of [1, 2, 3]) table.put({ id, hash: 'a' });
  table.put({ id: 4, hash: null });
  const found = (hash: string): number[] => Array.from(table.withValue('hash', hash), ({ id }) => id);
  expect(found('a')).toEqual([1, 2, 3]);
  table.put({ id: 2, hash: 'b' });
  table.put({ id: 4, hash: 'b' });
  table.remove(1);
  expect([found('a'), found('b'), found('c')]).toEqual([[3], [2, 4], []]);
});
