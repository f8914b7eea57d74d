import { expect, test } from 'vitest';
import { BodyBudget, type HeldBody } from '../../src/http/body-budget.ts';

function openBudget(): { budget: BodyBudget; rejected: string[]; hold: (name: string, bytes: number) => HeldBody } {
  const budget = new BodyBudget(100);
  const rejected: string[] = [];
  const hold = (name: string, bytes: number): HeldBody => {
    const held = budget.hold(({ code }) => rejected.push(`${name} ${code}`));
    held.add(bytes);
    return held;
  };
  return { budget, rejected, hold };
}

test('over the budget, the largest incomplete body is rejected', () => {
  const { budget, rejected, hold } = openBudget();
  hold('large', 60);
  hold('medium', 30);
  hold('small', 5);
  expect(rejected).toEqual([]);
  hold('last', 10);
  expect(rejected).toEqual(['large overloaded']);
  expect(budget.heldBytes).toBe(45);
});

test('a body that is being handled is not rejected', () => {
  const { rejected, hold } = openBudget();
  hold('handled', 90).complete();
  hold('late', 20);
  expect(rejected).toEqual(['late overloaded']);
});

test('a released body gives its bytes back once', () => {
  const { budget, hold } = openBudget();
  const held = hold('body', 40);
  held.release();
  held.release();
  held.add(10);
  expect(budget.heldBytes).toBe(0);
});
