import { expect, test } from 'vitest';
import { truncate } from '../../src/text/truncate.ts';
import { printable } from '../../src/text/printable.ts';

test('a text is cut in front of a surrogate pair, never inside', () => {
  expect(['ab😀', 'a😀b', '😀ab'].map((text) => truncate(text, 3))).toEqual(['ab', 'a😀', '😀a']);
  expect([truncate('😀', 1), truncate('😀', 0), truncate('', 0), truncate('😀', 2)]).toEqual(['', '', '', '😀']);
});

test('half a surrogate pair is not printed', () => {
  expect(printable('a\ud83db 😀')).toBe('a\ufffdb 😀');
});
