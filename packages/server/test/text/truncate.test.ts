import { expect, test } from 'vitest';
import { truncate } from '../../src/text/truncate.ts';
import { printable } from '../../src/text/printable.ts';

test('truncate never splits a surrogate pair', () => {
  expect(['ab😀', 'a😀b', '😀ab'].map((text) => truncate(text, 3))).toEqual(['ab', 'a😀', '😀a']);
  expect([truncate('😀', 1), truncate('😀', 0), truncate('', 0), truncate('😀', 2)]).toEqual(['', '', '', '😀']);
});

test('printable replaces a lone surrogate', () => {
  expect(printable('a\ud83db 😀')).toBe('a\ufffdb 😀');
});
