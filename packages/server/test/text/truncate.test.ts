import { expect, test } from 'vitest';
import { head } from '../../src/text/truncate.ts';
import { printable } from '../../src/text/printable.ts';

test('a text is cut in front of a surrogate pair, never inside', () => {
  expect(['ab😀', 'a😀b', '😀ab'].map((text) => head(text, 3))).toEqual(['ab', 'a😀', '😀a']);
  expect([head('😀', 1), head('😀', 0), head('', 0), head('😀', 2)]).toEqual(['', '', '', '😀']);
});

test('half a surrogate pair is not printed', () => {
  expect(printable('a\ud83db 😀')).toBe('a\ufffdb 😀');
});
