import { describe, expect, test } from 'vitest';
import { bareName, isMinifiedName, withoutRegistration } from '../../src/fingerprint/function-name.ts';

describe('the function name that all engines agree on', () => {
  test.each([
    ['total', 'total'],
    ['Cart.total', 'total'],
    ['new Cart', 'Cart'],
    ['Object.go [as run]', 'go'],
    ['HTMLButtonElement.<anonymous>', null],
    ['get discount', 'discount'],
    ['load/items', 'items'],
    ['load/items/<', null],
    ['Cart.#sum', 'sum'],
    ['global code', null],
    ['anonymous', null],
    [null, null],
  ])('%s: %s', (reported, name) => expect(bareName(reported)).toBe(name));
});

test.each([
  ["install.on('begin')", 'install'],
  ["install.on('begin').<anonymous>", 'install'],
  ["on('begin').once('end')", null],
  ["get('/valves/:id')", null],
  ['install.<anonymous>', 'install.<anonymous>'],
  ['Cart.total', 'Cart.total'],
  [null, null],
])('version 1 of the grouping rules reads the function name %s as %s', (name, known) =>
  expect(withoutRegistration(name)).toBe(known),
);

test.each(['e', 'nn', '$f', 'aBc', 'zm2', 'w$a1', 'xYz9', 'bcdf'])('%s may be a minified name', (name) => {
  expect(isMinifiedName(name)).toBe(true);
});

test.each(['push', 'total', 'render', 'onClick', 'sha256', 'checkout'])('%s is not a minified name', (name) => {
  expect(isMinifiedName(name)).toBe(false);
});
