import { expect, test } from 'vitest';
import { BodyPace } from '../../src/http/body-pace.ts';

const kib = 1024;

test('BodyPace reports a body as slow once the wait exceeds the grace time and its bytes', () => {
  let now = 0;
  const pace = new BodyPace(() => now);
  pace.wait();
  now = 5_000;
  expect(pace.isSlow).toBe(false);
  now = 5_001;
  expect(pace.isSlow).toBe(true);
  pace.receive(64 * kib);
  expect([pace.bytes, pace.isSlow]).toEqual([64 * kib, false]);
  now = 7_100;
  expect(pace.isSlow).toBe(true);
});

test('BodyPace does not count the time in which the server processes received bytes', () => {
  let now = 0;
  const pace = new BodyPace(() => now);
  pace.wait();
  now = 1_000;
  pace.receive(kib);
  pace.pause();
  now = 600_000;
  expect(pace.isSlow).toBe(false);
  pace.wait();
  now += 4_000;
  expect(pace.isSlow).toBe(false);
  now += 1_000;
  expect(pace.isSlow).toBe(true);
});
