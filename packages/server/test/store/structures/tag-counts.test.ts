import { limits } from '@service/protocol';
import { describe, expect, test } from 'vitest';
import {
  maxCustomTagChars,
  maxCustomTagValues,
  maxProjectTagChars,
  maxTagNames,
} from '../../../src/store/structures/memory-limits.ts';
import { BytesReader } from '../../../src/store/codec/bytes-reader.ts';
import { BytesWriter } from '../../../src/store/codec/bytes-writer.ts';
import { TagCounts } from '../../../src/store/structures/tag-counts.ts';

/** The most characters that one tag can take: of its name, and of its values with one that is being added. */
const maxCharsPerTag = limits.tagNameChars + 8 + maxCustomTagChars;

function repacked(counts: TagCounts): TagCounts {
  const writer = new BytesWriter();
  counts.pack(writer);
  const reader = new BytesReader();
  reader.open(writer.bytes, 0, writer.size);
  return TagCounts.unpack(reader);
}

describe('tag counts', () => {
  test('values are counted by tag, and those that are not shown count as other', () => {
    const counts = new TagCounts();
    for (const value of ['b', 'a', 'b', 'c']) counts.add('plan', value, true);
    counts.add('customer', 'acme', true);
    const expected = [
      { name: 'customer', values: [{ value: 'acme', count: 1 }], other: 0 },
      {
        name: 'plan',
        values: [
          { value: 'b', count: 2 },
          { value: 'a', count: 1 },
        ],
        other: 1,
      },
    ];
    expect(counts.top(2)).toEqual(expected);
    expect(repacked(counts).top(2)).toEqual(expected);
    expect(repacked(counts).chars).toBe(counts.chars);
  });

  test('hostile tags never take more than their room, and no report is lost', () => {
    const counts = new TagCounts();
    const reports = 5_000;
    for (let index = 0; index < reports; index++) {
      counts.add('request', `${index}`.padEnd(index % 2 ? 200 : 5, '界'), true);
      counts.add('plan', 'gold', true);
      counts.add(`name ${index}`, 'x', true);
    }
    const [name0] = counts.top(1);
    expect(counts.top(1)).toHaveLength(maxTagNames);
    expect(counts.chars).toBeLessThanOrEqual(maxTagNames * maxCharsPerTag);
    expect(name0).toEqual({ name: 'name 0', values: [{ value: 'x', count: 1 }], other: 0 });
    const request = counts.top(maxCustomTagValues).find(({ name }) => name === 'request');
    const counted = request?.values.reduce((sum, { count }) => sum + count, request.other);
    expect(counted).toBe(reports);
    expect(counts.top(5).find(({ name }) => name === 'plan')).toMatchObject({
      values: [{ value: 'gold', count: reports }],
      other: 0,
    });
  });

  test('a frequent value outlives rare ones, even if it begins late', () => {
    const counts = new TagCounts();
    for (let index = 0; index < 1_000; index++) {
      counts.add('customer', `rare ${index}`, true);
      if (index > 500 && index % 3 === 0) counts.add('customer', 'acme', true);
    }
    expect(counts.top(1)[0]?.values).toEqual([{ value: 'acme', count: 167 }]);
  });

  test('tags over the limit increase the counts of known values and of other values, and add no value', () => {
    const counts = new TagCounts();
    counts.add('plan', 'gold', true);
    const { chars } = counts;
    for (const value of ['gold', 'free', 'none']) counts.add('plan', value, false);
    counts.add('new', 'x', false);
    expect(counts.top(5)).toEqual([{ name: 'plan', values: [{ value: 'gold', count: 2 }], other: 2 }]);
    expect(counts.chars).toBe(chars);
  });

  test('the tags of one group have room in their project', () => {
    expect(maxProjectTagChars).toBeGreaterThan(maxTagNames * maxCharsPerTag);
  });
});
