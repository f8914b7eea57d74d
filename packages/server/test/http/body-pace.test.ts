import { expect, test } from 'vitest';
import { BodyPace } from '../../src/http/body-pace.ts';

const kib = 1024;

test('a body is slow once it was waited for longer than its bytes and a pause may take', () => {
  let now = 0;
  const pace = new BodyPace(() => now);
  pace.wait();
  now = 5_000;
  expect(pace.isSlow).toBe(false);
  now = 5_001;
  expect(pace.isSlow).toBe(true);
  pace.come(64 * kib);
  expect([pace.bytes, pace.isSlow]).toEqual([64 * kib, false]);
  now = 7_100;
  expect(pace.isSlow).toBe(true);
});

test('while the server is busy with what came nobody is slow', () => {
  let now = 0;
  const pace = new BodyPace(() => now);
  pace.wait();
  now = 1_000;
  pace.come(kib);
  pace.rest();
  now = 600_000;
  expect(pace.isSlow).toBe(false);
  pace.wait();
  now += 4_000;
  expect(pace.isSlow).toBe(false);
  now += 1_000;
  expect(pace.isSlow).toBe(true);
});
