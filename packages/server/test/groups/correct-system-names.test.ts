import { expect, test } from 'vitest';
import { correctSystemNames } from '../../src/groups/correct-system-names.ts';

test('system tags merge the counts of names that earlier versions wrote', () => {
  expect(
    correctSystemNames([
      { value: 'Windows 10', count: 5 },
      { value: 'macOS Catalina', count: 4 },
      { value: 'Linux', count: 3 },
      { value: 'macOS 10.15 or later', count: 2 },
    ]),
  ).toEqual([
    { value: 'macOS 10.15 or later', count: 6 },
    { value: 'Windows 10 or later', count: 5 },
    { value: 'Linux', count: 3 },
  ]);
});
