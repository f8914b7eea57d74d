import { expect, test } from 'vitest';
import { DistinctCount } from '../../../src/store/structures/distinct-count.ts';
import { TopValues } from '../../../src/store/structures/top-values.ts';

test('distinct values are counted exactly up to 1,000, and with an error below 6% above that', () => {
  const count = new DistinctCount();
  for (let value = 0; value < 1_000; value++) {
    count.add(`user ${value}`);
    count.add(`user ${value % 7}`);
  }
  expect(count.size).toBe(1_000);
  for (const [upTo, maxError] of [
    [2_000, 0.06],
    [20_000, 0.06],
    [100_000, 0.06],
  ] as const) {
    for (let value = 0; value < upTo; value++) count.add(`user ${value}`);
    expect(Math.abs(count.size - upTo) / upTo).toBeLessThan(maxError);
  }
});

test('a frequent value is counted even if it begins late among many rare values', () => {
  const values = new TopValues();
  for (let rare = 0; rare < 5_000; rare++) {
    values.add(`rare ${rare}`);
    if (rare > 2_000 && rare % 10 === 0) values.add('frequent');
  }
  expect(values.top(1)).toEqual([{ value: 'frequent', count: 299 }]);
  expect(values.has('frequent')).toBe(true);
  expect(values.has('rare 4999')).toBe(true);
  expect(values.top(10)).toHaveLength(10);
});
