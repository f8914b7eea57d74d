import { expect, test } from 'vitest';
import { RecentCounts } from '../../src/store/structures/recent-counts.ts';

const hour = 3_600_000;

test('counts are listed by hour, oldest first, and shift with the clock', () => {
  const counts = new RecentCounts(hour, 4);
  expect(counts.until(10 * hour)).toEqual([0, 0, 0, 0]);
  counts.add(10 * hour);
  counts.add(10 * hour + 1);
  counts.add(12 * hour);
  expect(counts.until(12 * hour + 5)).toEqual([0, 2, 0, 1]);
  expect(counts.until(13 * hour)).toEqual([2, 0, 1, 0]);
  expect(counts.until(40 * hour)).toEqual([0, 0, 0, 0]);
});

test('a forward clock jump clears the counts, and reports with an older time are counted at it', () => {
  const counts = new RecentCounts(hour, 4);
  counts.add(10 * hour);
  counts.add(500 * hour);
  counts.add(499 * hour);
  counts.add(3 * hour);
  expect(counts.until(500 * hour)).toEqual([0, 0, 0, 1]);
});
