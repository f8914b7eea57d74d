import type { Breadcrumb, Frame } from '../../packages/protocol/src/index.ts';
import { describe, expect, test } from 'vitest';
import { filterChoices, matchesChoice } from '../../packages/dashboard/src/screens/group/filter-breadcrumbs.ts';
import { foldFrames } from '../../packages/dashboard/src/screens/group/fold-frames.ts';
import { summarizeCrumb } from '../../packages/dashboard/src/screens/group/format-breadcrumb.ts';
import { timeBefore } from '../../packages/dashboard/src/screens/group/time-before.ts';
import { entriesOf, entryAt } from '../../packages/dashboard/src/components/list-entries.ts';

const at = '2026-11-20T09:00:00.000Z';

test.each([
  [0, '−0.0 s'],
  [-5_000, '−0.0 s'],
  [59_949, '−59.9 s'],
  [59_950, '−1:00 min'],
  [100_000, '−1:40 min'],
  [119_999, '−2:00 min'],
  [3_599_000, '−59:59 min'],
  [3_600_000, '−1:00:00 h'],
  [360_000_000, '−100:00:00 h'],
])('a step %i ms before the error is at %s', (ms, text) => {
  expect(timeBefore(new Date(Date.parse(at) - ms).toISOString(), at)).toBe(text);
});

test('a step whose time is unreadable has none', () => {
  expect(timeBefore('yesterday', at)).toBe('');
});

describe('library frames', () => {
  const runs = (stack: string) =>
    foldFrames([...stack].map((kind) => ({ in_app: kind === 'a' }) as Frame)).map(({ indexes, isLibrary }) =>
      isLibrary ? `(${indexes.join(' ')})` : indexes.join(' '),
    );
  test.each([
    ['all', 'alllal', ['0', '(1 2 3)', '4', '5']],
    ['but the first, where the error was thrown', 'lllla', ['0', '(1 2 3)', '4']],
    ['unless there is no frame of the app', 'llll', ['0', '1', '2', '3']],
    ['of which there are none', '', []],
  ])('fold next to each other: %s', (_what, stack, folded) => {
    expect(runs(stack)).toEqual(folded);
  });
});

test.each([
  ['as it is', 'a'.repeat(120), 'a'.repeat(120)],
  ['cut', 'a'.repeat(121), `${'a'.repeat(120)}…`],
  ['cut between two characters', `${'a'.repeat(119)}😀`, `${'a'.repeat(119)}…`],
])('the title of a step is at most 120 characters: %s', (_what, message, title) => {
  expect(summarizeCrumb({ timestamp: at, type: '', category: '', data: { message } })).toBe(title);
});

test('steps can be narrowed to the ten most frequent kinds, and to those that failed', () => {
  const crumb = (type: string, data = {}): Breadcrumb => ({ timestamp: at, type, category: '', data });
  const many = Array.from({ length: 100 }, (_, index) => crumb(`kind ${index}`));
  const choices = filterChoices([...many, crumb('http', { status: 500 }), crumb('http'), crumb('')]);
  expect(choices.slice(0, 3)).toEqual([
    ['', 'All steps (103)'],
    ['failed', 'Failed (1)'],
    ['type http', 'http (2)'],
  ]);
  expect(choices).toHaveLength(12);
  expect([...many, crumb('http')].filter((step) => matchesChoice(step, 'type http'))).toHaveLength(1);
});

test('the entries of a field are found where they stand', () => {
  const text = ' https://a.example,\n\nfoo; bar';
  expect(entriesOf(text)).toEqual(['https://a.example', 'foo', 'bar']);
  expect(entryAt(text, 1)).toEqual({ start: 21, end: 24, line: 3 });
  expect(entryAt(text, 3)).toBeNull();
});
