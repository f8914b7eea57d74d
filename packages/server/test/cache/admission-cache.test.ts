import { expect, test } from 'vitest';
import { AdmissionCache } from '../../src/cache/admission-cache.ts';

/** Asks as its users do: looks, works the answer out, hands it in. Says what was known. */
function ask(memo: AdmissionCache<number>, question: string, answer: number): number | undefined {
  const known = memo.get(question);
  if (known === undefined) memo.set(question, answer);
  return known;
}

test('an answer is remembered from the second time on', () => {
  const memo = new AdmissionCache<number>(3, 1_000);
  expect([1, 2, 3, 4].map((answer) => ask(memo, 'who?', answer))).toEqual([undefined, undefined, 2, 2]);
});

test('what is asked once pushes nothing out', () => {
  const memo = new AdmissionCache<number>(3, 1_000);
  for (const answer of [1, 2]) ask(memo, 'often', answer);
  for (let index = 0; index < 1_000; index++) ask(memo, `${index} once`, index);
  expect(memo.get('often')).toBe(2);
});

test('answers are forgotten when there is no more room', () => {
  const memo = new AdmissionCache<number>(3, 1_000);
  const questions = ['a', 'b', 'c', 'd'];
  for (const [answer, question] of [...questions, ...questions].entries()) ask(memo, question, answer);
  expect(questions.map((question) => memo.get(question))).toEqual([undefined, undefined, undefined, 7]);
});

test('long questions take more of the room', () => {
  const memo = new AdmissionCache<number>(100, 50);
  const questions = ['x'.repeat(30), 'y'.repeat(30)];
  for (const [answer, question] of [...questions, ...questions].entries()) ask(memo, question, answer);
  expect(questions.map((question) => memo.get(question))).toEqual([undefined, 3]);
});
