import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { StreamWriter } from '../../src/stream/stream-writer.ts';

test('a few writes are made at once', () => {
  const writer = new StreamWriter();
  const written: number[] = [];
  for (let index = 0; index < 50; index++) writer.write(1, () => written.push(index));
  expect(written).toHaveLength(50);
  expect(writer.isBusy(1)).toBe(false);
});

test('many writes to the streams of a team are made in order, in several iterations of the event loop', async () => {
  const writer = new StreamWriter();
  const written: number[] = [];
  const add = (index: number): void =>
    writer.write(1, () => {
      written.push(index);
      spendMs(0.1);
    });
  for (let index = 0; index < 200; index++) add(index);
  expect(writer.isBusy(1)).toBe(true);
  await setImmediate();
  expect(written.length).toBeLessThan(200);
  add(200);
  while (writer.isBusy(1)) await setImmediate();
  expect(written).toEqual(Array.from({ length: 201 }, (_, index) => index));
  add(201);
  expect(written).toHaveLength(202);
});

test('the streams of another team do not wait for all writes of a team', async () => {
  const writer = new StreamWriter();
  let count = 0;
  for (let index = 0; index < 1_000; index++)
    writer.write(1, () => {
      count++;
      spendMs(0.1);
    });
  const before = await new Promise<number>((resolve) => {
    writer.write(2, () => resolve(count));
  });
  expect(before).toBeLessThan(500);
});

function spendMs(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}
