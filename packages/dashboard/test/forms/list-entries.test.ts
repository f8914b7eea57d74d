import { expect, test } from 'vitest';
import { locateEntry, splitEntries } from '../../src/forms/list-entries.ts';

test('locates the entries of a text field', () => {
  const text = ' https://a.example,\n\nfoo; bar';
  expect(splitEntries(text)).toEqual(['https://a.example', 'foo', 'bar']);
  expect(locateEntry(text, 1)).toEqual({ start: 21, end: 24, line: 3 });
  expect(locateEntry(text, 3)).toBeNull();
});
