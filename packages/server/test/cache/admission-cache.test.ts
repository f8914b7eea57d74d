import { expect, test } from 'vitest';
import { AdmissionCache } from '../../src/cache/admission-cache.ts';

/** Uses the cache as its callers do: get, compute, set. Returns whether the value was cached. */
function getOrSet(cache: AdmissionCache<number>, key: string, value: number): number | undefined {
  const cached = cache.get(key);
  if (cached === undefined) cache.set(key, value);
  return cached;
}

test('AdmissionCache keeps a value when its key is set for the second time', () => {
  const cache = new AdmissionCache<number>(3, 1_000);
  expect([1, 2, 3, 4].map((value) => getOrSet(cache, 'who?', value))).toEqual([undefined, undefined, 2, 2]);
});

test('AdmissionCache evicts nothing for keys that are set once', () => {
  const cache = new AdmissionCache<number>(3, 1_000);
  for (const value of [1, 2]) getOrSet(cache, 'often', value);
  for (let index = 0; index < 1_000; index++) getOrSet(cache, `${index} once`, index);
  expect(cache.get('often')).toBe(2);
});

test('AdmissionCache is cleared when it is full', () => {
  const cache = new AdmissionCache<number>(3, 1_000);
  const keys = ['a', 'b', 'c', 'd'];
  for (const [value, key] of [...keys, ...keys].entries()) getOrSet(cache, key, value);
  expect(keys.map((key) => cache.get(key))).toEqual([undefined, undefined, undefined, 7]);
});

test('AdmissionCache counts the characters of keys', () => {
  const cache = new AdmissionCache<number>(100, 50);
  const keys = ['x'.repeat(30), 'y'.repeat(30)];
  for (const [value, key] of [...keys, ...keys].entries()) getOrSet(cache, key, value);
  expect(keys.map((key) => cache.get(key))).toEqual([undefined, 3]);
});
