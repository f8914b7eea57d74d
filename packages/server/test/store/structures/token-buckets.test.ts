import { expect, test } from 'vitest';
import { TokenBuckets } from '../../../src/store/structures/token-buckets.ts';

test('above 10,000 keys, the bucket that was unused for longest is forgotten, and an empty one in use is not', () => {
  const buckets = new TokenBuckets(1, 0.001, () => 0);
  expect(buckets.take(-1, 1)).toBe(true);
  expect(buckets.take(-2, 1)).toBe(true);
  const taken: boolean[] = [];
  for (let key = 0; key < 20_000; key++) {
    buckets.take(key, 1);
    if (key % 1_000 === 0) taken.push(buckets.take(-1, 1));
  }
  expect(taken).toEqual(Array<boolean>(20).fill(false));
  // This bucket was forgotten, so it is full again.
  expect(buckets.take(-2, 1)).toBe(true);
});
