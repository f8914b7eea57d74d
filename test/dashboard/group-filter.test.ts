import { expect, test } from 'vitest';
import type { ErrorGroup } from '../../packages/protocol/src/index.ts';
import {
  filterParams,
  formatFilter,
  matches,
  parseFilter,
} from '../../packages/dashboard/src/screens/groups/group-filter.ts';

const none = { search: '', status: 'active' };

test.each([
  ['', {}, ''],
  ['  cart   total ', { search: 'cart total' }, 'cart total'],
  ['is:resolved', { status: 'resolved' }, 'is:resolved'],
  ['is:all', { status: '' }, 'is:all'],
  ['is:active', {}, ''],
  ['is:open', { search: 'is:open' }, 'is:open'],
  ['env:production cart', { environment: 'production', search: 'cart' }, 'env:production cart'],
  ['Environment:staging', { environment: 'staging' }, 'env:staging'],
  ['env:all', { environment: 'all' }, 'env:all'],
  ['env:a env:b', { environment: 'b' }, 'env:b'],
  ['release:"next week"', { release: 'next week' }, 'release:"next week"'],
  ['release:"next', { release: 'next' }, 'release:next'],
  ['release:""', { release: '' }, ''],
  ['release:1.0 env:x is:all', { release: '1.0', environment: 'x', status: '' }, 'is:all env:x release:1.0'],
  ['constructor:x', { search: 'constructor:x' }, 'constructor:x'],
  ['https://shop.example', { search: 'https://shop.example' }, 'https://shop.example'],
])('searches for %j', (text, params, shortest) => {
  const filter = parseFilter(text);
  expect(filterParams(filter)).toEqual({ ...none, ...params });
  expect(formatFilter(filter)).toBe(shortest);
  expect(formatFilter(parseFilter(shortest))).toBe(shortest);
});

test('sends no search text that the server would reject', () => {
  expect(filterParams(parseFilter('x'.repeat(300))).search).toHaveLength(200);
});

const group = {
  project_id: 1,
  status: 'active',
  environments: ['production'],
  first_release: '1.0',
  last_release: '1.2',
} as ErrorGroup;

test.each([
  ['', true],
  ['is:all', true],
  ['is:resolved', false],
  ['env:production', true],
  ['env:staging', false],
  ['env:""', true],
  // The group has had more releases than the list shows, and more texts.
  ['release:1.1', null],
  ['release:1.2', null],
  ['cart', null],
  ['env:production cart', null],
  ['env:staging release:1.1 cart', false],
])('decides whether a live update belongs to the list of %j: %s', (text, isMatch) => {
  expect(matches(group, parseFilter(text), null)).toBe(isMatch);
  expect(matches(group, parseFilter(text), 1)).toBe(isMatch);
  expect(matches(group, parseFilter(text), 2)).toBe(false);
});
