import { expect, test } from 'vitest';
import type { ErrorGroup } from '@service/protocol';
import { describeFilter, filterHints, tagsAsWords } from '../../../src/screens/no-matches/describe-filter.ts';
import { filterParams, formatFilter, matches, parseFilter } from '../../../src/screens/filter/group-filter.ts';

const none = { search: '', status: 'active' };

test.each([
  ['', {}, ''],
  ['  cart   total ', { search: 'cart total' }, 'cart total'],
  ['is:resolved', { status: 'resolved' }, 'is:resolved'],
  ['is:all', { status: '' }, 'is:all'],
  ['is:active', {}, ''],
  ['is:unresolved', {}, ''],
  ['is:unresolved is:all', { status: '' }, 'is:all'],
  ['is:open', { search: 'is:open' }, 'is:open'],
  ['env:production cart', { environment: 'production', search: 'cart' }, 'env:production cart'],
  ['Environment:staging', { environment: 'staging' }, 'env:staging'],
  ['env:all', { environment: 'all' }, 'env:all'],
  ['env:a env:b', { environment: 'b' }, 'env:b'],
  ['release:"next week"', { release: 'next week' }, 'release:"next week"'],
  ['release:"next', { release: 'next' }, 'release:next'],
  ['release:""', { release: '' }, ''],
  ['release:1.0 env:x is:all', { release: '1.0', environment: 'x', status: '' }, 'is:all env:x release:1.0'],
  ['constructor:x', { tag: ['constructor:x'] }, 'constructor:x'],
  [
    'plan:gold cart Shop:"le grand"',
    { tag: ['plan:gold', 'Shop:le grand'], search: 'cart' },
    'plan:gold Shop:"le grand" cart',
  ],
  ['plan:gold plan:gold', { tag: ['plan:gold'] }, 'plan:gold'],
  ['empty:""', { tag: ['empty:'] }, 'empty:""'],
  ['Error: cart', { search: 'Error: cart' }, 'Error: cart'],
  [String.raw`plan:"a \"b\" \\c"`, { tag: [String.raw`plan:a "b" \c`] }, String.raw`plan:"a \"b\" \\c"`],
  ['tag:release:beta', { tag: ['release:beta'] }, 'tag:release:beta'],
  ['tag:"my plan:so so"', { tag: ['my plan:so so'] }, 'tag:"my plan:so so"'],
  ['tag:plan:gold', { tag: ['plan:gold'] }, 'plan:gold'],
  ['tag:plan', { search: 'tag:plan' }, 'tag:plan'],
  ['größe:M', { tag: ['größe:M'] }, 'größe:M'],
  ['"cart.ts:12" "cart total"', { search: 'cart.ts:12 cart total' }, '"cart.ts:12" cart total'],
  ['a:1 b:2 c:3 d:4 e:5 f:6', { tag: ['a:1', 'b:2', 'c:3', 'd:4', 'e:5'], search: 'f:6' }, 'a:1 b:2 c:3 d:4 e:5 "f:6"'],
  [`plan:${'x'.repeat(300)}`, { search: `plan:${'x'.repeat(195)}` }, `plan:${'x'.repeat(300)}`],
  ['https://shop.example', { search: 'https://shop.example' }, 'https://shop.example'],
])('searches for %j', (text, params, shortest) => {
  const filter = parseFilter(text);
  expect(filterParams(filter)).toEqual({ ...none, ...params });
  expect(formatFilter(filter)).toBe(shortest);
  expect(formatFilter(parseFilter(shortest))).toBe(shortest);
});

test.each(['plan:gold', 'release:1', 'my plan:so "so"', 'a:b:c', 'is:x', 'tag:tag', '"q":"', 'n:\\', 'x://y', '1:2'])(
  'the search box finds the tag %j again in its own text',
  (tag) => {
    expect(parseFilter(formatFilter({ status: 'all', tags: [tag], words: 'cart' }))).toEqual({
      status: 'all',
      tags: [tag],
      words: 'cart',
    });
  },
);

const tagHint = 'The filters are is:, env: and release:. Any other name is that of a tag.';
const textHint = 'Text is searched for in type, message, culprit, release and URL.';

test.each([
  ['is:resolved', 'Searched resolved errors.', []],
  [
    'env:production release:"a b" is:all',
    'Searched all errors for the environment “production” and the release “a b”.',
    [],
  ],
  ['level:warning user:u5', 'Searched active errors for the tag “level:warning” and the tag “user:u5”.', [tagHint]],
  [
    'plan:gold env:x !figs',
    'Searched active errors for the environment “x”, the tag “plan:gold” and the text “!figs”.',
    [tagHint, 'A search can’t exclude anything.', textHint],
  ],
  [
    'is:unresolvd figs',
    'Searched active errors for the text “is:unresolvd figs”.',
    ['is: takes active, resolved or all.', textHint],
  ],
  ['cart-total', 'Searched active errors for the text “cart-total”.', [textHint]],
])('says what %j was understood as', (text, description, hints) => {
  expect(describeFilter(parseFilter(text))).toBe(description);
  expect(filterHints(parseFilter(text))).toEqual(hints);
});

test.each(['type:RangeError', 'url:RangeError'])('as text, %j is searched for in all columns', (text) => {
  expect(formatFilter(tagsAsWords(parseFilter(text)))).toBe('RangeError');
});

test('a tag that finds nothing can be searched for as text', () => {
  const filter = tagsAsWords(parseFilter('cart.ts:12 total'));
  expect(parseFilter(formatFilter(filter))).toMatchObject({ tags: [], words: 'cart.ts:12 total' });
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
  ['plan:gold', null],
  ['env:staging plan:gold', false],
  ['env:production cart', null],
  ['env:staging release:1.1 cart', false],
])('decides whether a live update belongs to the list of %j: %s', (text, isMatch) => {
  expect(matches(group, parseFilter(text), null)).toBe(isMatch);
  expect(matches(group, parseFilter(text), 1)).toBe(isMatch);
  expect(matches(group, parseFilter(text), 2)).toBe(false);
});
