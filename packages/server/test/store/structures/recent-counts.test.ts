import { expect, test } from 'vitest';
import { BytesReader } from '../../../src/store/codec/bytes-reader.ts';
import { BytesWriter } from '../../../src/store/codec/bytes-writer.ts';
import { RecentCounts } from '../../../src/store/structures/recent-counts.ts';

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

test('counts from before a forward clock jump are shown again once the clock is back', () => {
  const counts = new RecentCounts(hour, 4);
  counts.add(10 * hour);
  counts.add(500 * hour);
  counts.add(501 * hour);
  expect(counts.until(501 * hour)).toEqual([0, 0, 1, 1]);
  counts.shiftTimes({ from: 500 * hour, by: -489 * hour, until: 12 * hour + 5 });
  expect(counts.until(12 * hour + 5)).toEqual([0, 1, 1, 1]);
});

test('a leap of the clock back also moves the counts of the hour in which it begins', () => {
  const counts = new RecentCounts(hour, 4);
  counts.add(10 * hour);
  counts.add(500.6 * hour);
  counts.shiftTimes({ from: 500.5 * hour, by: -490 * hour, until: 30 * hour });
  expect(counts.until(11 * hour)).toEqual([0, 0, 2, 0]);
});

test('a leap back of less than an hour moves the counts of its hour if it ends in the hour before', () => {
  const counts = new RecentCounts(hour, 4);
  counts.add(9.7 * hour);
  counts.add(10.3 * hour);
  // `until` is far ahead, because another leap is taken back after this one.
  counts.shiftTimes({ from: 10.2 * hour, by: -0.7 * hour, until: 500 * hour });
  expect(counts.until(10 * hour)).toEqual([0, 0, 2, 0]);
});

test('only the newest buckets are kept, and gaps survive packing', () => {
  const counts = new RecentCounts(hour, 4);
  for (const at of [1, 10, 500, 501, 9_000]) counts.add(at * hour);
  const writer = new BytesWriter();
  counts.pack(writer);
  const reader = new BytesReader();
  reader.open(writer.bytes, 0, writer.size);
  const read = new RecentCounts(hour, 4);
  read.unpack(reader);
  expect(reader.isAtEnd).toBe(true);
  expect(read).toEqual(counts);
  expect(read.until(10 * hour)).toEqual([0, 0, 0, 1]);
  expect(read.until(501 * hour)).toEqual([0, 0, 1, 1]);
  expect(read.until(2 * hour)).toEqual([0, 0, 0, 0]);
});
