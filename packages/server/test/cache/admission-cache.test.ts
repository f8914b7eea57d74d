import { expect, test } from 'vitest';
import { AdmissionCache } from '../../src/cache/admission-cache.ts';

/** Uses the cache as its callers do: get, compute, set. Returns whether the value was cached. */
function ask(memo: AdmissionCache<number>, question: string, answer: number): number | undefined {
  const known = memo.get(question);
  if (known === undefined) memo.set(question, answer);
  return known;
}

test('AdmissionCache keeps a value when its key is set for the second time', () => {
  const memo = new AdmissionCache<number>(3, 1_000);
  expect([1, 2, 3, 4].map((answer) => ask(memo, 'who?', answer))).toEqual([undefined, undefined, 2, 2]);
});

test('AdmissionCache evicts nothing for keys that are set once', () => {
  const memo = new AdmissionCache<number>(3, 1_000);
  for (const answer of [1, 2]) ask(memo, 'often', answer);
  for (let index = 0; index < 1_000; index++) ask(memo, `${index} once`, index);
  expect(memo.get('often')).toBe(2);
});

test('AdmissionCache is cleared when it is full', () => {
  const memo = new AdmissionCache<number>(3, 1_000);
  const questions = ['a', 'b', 'c', 'd'];
  for (const [answer, question] of [...questions, ...questions].entries()) ask(memo, question, answer);
  expect(questions.map((question) => memo.get(question))).toEqual([undefined, undefined, undefined, 7]);
});

test('AdmissionCache counts the characters of keys', () => {
  const memo = new AdmissionCache<number>(100, 50);
  const questions = ['x'.repeat(30), 'y'.repeat(30)];
  for (const [answer, question] of [...questions, ...questions].entries()) ask(memo, question, answer);
  expect(questions.map((question) => memo.get(question))).toEqual([undefined, 3]);
});
