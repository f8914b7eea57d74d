import { expect, test } from 'vitest';
import { Table } from '../../src/store/table.ts';

test('rows are oldest first, in whatever order they came back', () => {
  const table = new Table<{ id: number; key: string }>(({ key }) => key);
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
