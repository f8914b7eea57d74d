import { expect, test } from 'vitest';
import { systemTags } from '../../src/groups/system-tags.ts';

test('system tags merge the counts of names that earlier versions wrote', () => {
  expect(
    systemTags([
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
