import { expect, test } from 'vitest';
import { columnNames, columnValues, type ReportValues } from '../../../src/store/records/columns-and-fields.ts';

test('columnValues() returns the value of each column at the index of the column', () => {
  const namesAsValues = Object.fromEntries(columnNames.map((name) => [name, name])) as unknown as ReportValues;
  expect(columnValues(namesAsValues)).toEqual(columnNames);
});
