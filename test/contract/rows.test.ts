import { expect, test } from 'vitest';
import { chapters } from './chapters.ts';
import { rows } from './rows.ts';

const tests = chapters.flatMap((chapter) => chapter.tests);

test('every row of the contract is proved by a test', () => {
  const proved = new Set<string>(tests.flatMap(({ proves }) => proves));
  expect(Object.keys(rows).filter((id) => !proved.has(id))).toEqual([]);
});

test('no test claims a row that is not there, and each claims one', () => {
  const strangers = tests.flatMap(({ proves }) => proves).filter((id) => !Object.hasOwn(rows, id));
  expect(strangers).toEqual([]);
  expect(tests.filter(({ proves }) => proves.length === 0).map(({ title }) => title)).toEqual([]);
});

test('no two tests have one title, and each asks something', () => {
  const titles = tests.map(({ title }) => title);
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  expect(tests.filter(({ steps, run }) => !steps && !run).map(({ title }) => title)).toEqual([]);
});
