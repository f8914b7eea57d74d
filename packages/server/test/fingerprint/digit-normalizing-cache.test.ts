import { expect, test } from 'vitest';
import { DigitNormalizingCache } from '../../src/fingerprint/digit-normalizing-cache.ts';

test('the digit-normalizing cache returns the same result for texts that differ only in digits', () => {
  const known = new DigitNormalizingCache<string>();
  known.set('order 4711 of 12', 'numbers');
  expect(known.get('order 4711 of 12')).toBe('numbers');
  expect(known.get('order 9999 of 00')).toBe('numbers');
  expect(known.get('order 471 of 123')).toBeUndefined();
  expect(known.get('order 471a of 12')).toBeUndefined();
  expect(known.get('order ٤٧١١ of 12')).toBeUndefined();
});

test('the digit-normalizing cache never returns a replaced result for another text', () => {
  const known = new DigitNormalizingCache<number>();
  const texts = Array.from({ length: 20_000 }, (_, index) => `${index.toString(36).replaceAll(/\d/g, '-')}`);
  for (const text of texts) known.set(text, text.length);
  for (const text of texts) expect(known.get(text) ?? text.length).toBe(text.length);
});

test('the digit-normalizing cache does not store long texts', () => {
  const known = new DigitNormalizingCache<string>();
  known.set('x'.repeat(1_000), 'long');
  expect(known.get('x'.repeat(1_000))).toBeUndefined();
});
