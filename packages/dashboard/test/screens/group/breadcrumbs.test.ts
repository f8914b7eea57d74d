import type { Breadcrumb } from '@service/protocol';
import { expect, test } from 'vitest';
import { filterOptions, matchesFilter } from '../../../src/screens/group/filter-breadcrumbs.ts';
import { summarizeBreadcrumb } from '../../../src/screens/group/format-breadcrumb.ts';
import { timeBefore } from '../../../src/screens/group/time-before.ts';

const at = '2026-11-20T09:00:00.000Z';

test.each([
  [0, '0.0 s'],
  [49, '0.0 s'],
  [50, '−0.1 s'],
  [-5_000, '0.0 s'],
  [59_949, '−59.9 s'],
  [59_950, '−1:00 min'],
  [100_000, '−1:40 min'],
  [119_999, '−2:00 min'],
  [3_599_000, '−59:59 min'],
  [3_600_000, '−1:00:00 h'],
  [360_000_000, '−100:00:00 h'],
])('shows a breadcrumb %i ms before the error at %s', (ms, text) => {
  expect(timeBefore(new Date(Date.parse(at) - ms).toISOString(), at)).toBe(text);
});

test('shows no time for a breadcrumb with an invalid timestamp', () => {
  expect(timeBefore('yesterday', at)).toBe('');
});

test.each([
  ['unchanged', 'a'.repeat(120), 'a'.repeat(120)],
  ['truncated', 'a'.repeat(121), `${'a'.repeat(120)}…`],
  ['truncated between two characters', `${'a'.repeat(119)}😀`, `${'a'.repeat(119)}…`],
])('the title of a breadcrumb has at most 120 characters: %s', (_what, message, title) => {
  expect(summarizeBreadcrumb({ timestamp: at, type: '', category: '', data: { message } })).toBe(title);
});

test('breadcrumbs can be filtered by the ten most frequent types and by failure', () => {
  const breadcrumb = (type: string, data = {}): Breadcrumb => ({ timestamp: at, type, category: '', data });
  const many = Array.from({ length: 100 }, (_, index) => breadcrumb(`type ${index}`));
  const options = filterOptions([...many, breadcrumb('http', { status: 500 }), breadcrumb('http'), breadcrumb('')]);
  expect(options.slice(0, 3)).toEqual([
    ['', 'All (103)'],
    ['failed', 'Failed (1)'],
    ['type http', 'http (2)'],
  ]);
  expect(options).toHaveLength(12);
  expect([...many, breadcrumb('http')].filter((each) => matchesFilter(each, 'type http'))).toHaveLength(1);
});
