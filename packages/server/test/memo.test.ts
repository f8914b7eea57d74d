import { expect, test } from 'vitest';
import { Memo } from '../src/memo.ts';

test('answers are remembered until there is no more room, and forgotten then', () => {
  const memo = new Memo<number>(3, 1_000);
  for (const [answer, question] of ['a', 'b', 'c'].entries()) memo.set(question, answer);
  expect(['a', 'b', 'c'].map((question) => memo.get(question))).toEqual([0, 1, 2]);
  memo.set('d', 3);
  expect(['a', 'b', 'c', 'd'].map((question) => memo.get(question))).toEqual([undefined, undefined, undefined, 3]);
});

test('long questions take more of the room', () => {
  const memo = new Memo<number>(100, 50);
  memo.set('x'.repeat(30), 1);
  memo.set('y'.repeat(30), 2);
  expect([memo.get('x'.repeat(30)), memo.get('y'.repeat(30))]).toEqual([undefined, 2]);
});
