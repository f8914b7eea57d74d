import { expect, test } from 'vitest';
import { UploadBudget } from '../../src/uploads/upload-budget.ts';

const gib = 2 ** 30;
const many = (budget: UploadBudget, teamId: number, count: number) =>
  Array.from({ length: count }, () => budget.begin(teamId));
const overloaded = expect.objectContaining({ code: 'overloaded' });

test('a team has 36 uploads at most', () => {
  const budget = new UploadBudget();
  const uploads = many(budget, 1, 36);
  expect(() => budget.begin(1)).toThrow(overloaded);
  expect([budget.isFull(1), budget.isFull(2)]).toEqual([true, false]);
  uploads[0]!.release();
  expect(budget.isFull(1)).toBe(false);
  budget.begin(1);
});

test('when all places are taken, the newest unfinished upload of the team with the most uploads is aborted', () => {
  const budget = new UploadBudget();
  const [larger, fewer] = [many(budget, 1, 36), many(budget, 2, 35)];
  budget.begin(3);
  larger[35]!.isComplete = true;
  budget.begin(4);
  expect(larger.map(({ signal }) => signal.aborted).indexOf(true)).toBe(34);
  expect(larger[34]!.signal.reason).toEqual(overloaded);
  expect(fewer.some(({ signal }) => signal.aborted)).toBe(false);
});

test('when all places are taken by teams with one upload each, the next upload is rejected', () => {
  const budget = new UploadBudget();
  const uploads = Array.from({ length: 72 }, (_, index) => budget.begin(index));
  expect(() => budget.begin(100)).toThrow(overloaded);
  expect(uploads.some(({ signal }) => signal.aborted)).toBe(false);
});

test('a team has temporary files of 1 GiB at most', () => {
  const budget = new UploadBudget();
  const [first, second] = [budget.begin(1), budget.begin(1)];
  first.add(gib);
  expect(() => second.add(1)).toThrow(overloaded);
  expect(first.signal.aborted).toBe(false);
});

test('when temporary files exceed 2 GiB, the largest unfinished upload of the team with the most bytes is aborted', () => {
  const budget = new UploadBudget();
  const [complete, largest, small] = [budget.begin(1), budget.begin(1), budget.begin(1)];
  const [other, next] = [budget.begin(2), budget.begin(3)];
  complete.add(gib / 2);
  complete.isComplete = true;
  largest.add(gib / 4);
  small.add(gib / 8);
  other.add(gib - gib / 4);
  next.add(gib / 2);
  expect(largest.signal.reason).toEqual(overloaded);
  expect([complete, small, other, next].some(({ signal }) => signal.aborted)).toBe(false);
});

test('temporary files take at most half of the room of a small disk', () => {
  const budget = new UploadBudget();
  const [first, second] = [budget.begin(1), budget.begin(2)];
  budget.setFreeBytes(1_000);
  first.add(400);
  // The first upload is part of the 1,000 bytes.
  budget.setFreeBytes(600);
  second.add(100);
  expect(() => second.add(1)).not.toThrow();
  expect(first.signal.reason).toEqual(overloaded);
});
