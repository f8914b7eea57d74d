import { expect, test } from 'vitest';
import { DigitNormalizingCache } from '../../src/fingerprint/digit-normalizing-cache.ts';

test('a text that differs in its digits alone has the same answer', () => {
  const known = new DigitNormalizingCache<string>();
  known.set('order 4711 of 12', 'numbers');
  expect(known.get('order 4711 of 12')).toBe('numbers');
  expect(known.get('order 9999 of 00')).toBe('numbers');
  expect(known.get('order 471 of 123')).toBeUndefined();
  expect(known.get('order 471a of 12')).toBeUndefined();
  expect(known.get('order ٤٧١١ of 12')).toBeUndefined();
});

test('an answer that was pushed out is no other text’s', () => {
  const known = new DigitNormalizingCache<number>();
  const texts = Array.from({ length: 20_000 }, (_, index) => `${index.toString(36).replaceAll(/\d/g, '-')}`);
  for (const text of texts) known.set(text, text.length);
  for (const text of texts) expect(known.get(text) ?? text.length).toBe(text.length);
});

test('long texts are not remembered', () => {
  const known = new DigitNormalizingCache<string>();
  known.set('x'.repeat(1_000), 'long');
  expect(known.get('x'.repeat(1_000))).toBeUndefined();
});
