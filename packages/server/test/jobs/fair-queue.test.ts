import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FairQueue } from '../../src/jobs/fair-queue.ts';

/** A clock that passes a millisecond for each unit of work. */
function startQueue(): {
  queue: FairQueue;
  started: number[];
  report: (project: number, ms?: number) => Promise<void>;
} {
  let time = 0;
  const queue = new FairQueue(() => time);
  const started: number[] = [];
  const report = (project: number, ms = 1): Promise<void> =>
    queue.run(
      () => project,
      100,
      async () => {
        time += ms;
        started.push(project);
      },
    );
  return { queue, started, report };
}

test('work starts at once as long as a turn has time', async () => {
  const { started, report } = startQueue();
  void report(1);
  void report(1);
  expect(started).toEqual([1, 1]);
  await setImmediate();
  void report(2);
  expect(started).toEqual([1, 1, 2]);
});

test('a project that sends much delays another one by a single report per turn', async () => {
  const { started, report } = startQueue();
  const all = Array.from({ length: 50 }, () => report(1));
  all.push(report(2), report(3), report(2));
  await Promise.all(all);
  expect(started).toHaveLength(53);
  expect(started.slice(4, 9)).toEqual([1, 2, 3, 1, 2]);
});

test('the event loop runs between two batches of work', async () => {
  const { started, report } = startQueue();
  const all = Array.from({ length: 20 }, () => report(1));
  await setImmediate();
  expect(started.length).toBeLessThan(12);
  await Promise.all(all);
});

test('slow work of a project counts by its time', async () => {
  const { started, report } = startQueue();
  const all = [...Array.from({ length: 5 }, () => report(1, 10)), report(2)];
  await Promise.all(all);
  expect(started.indexOf(2)).toBeLessThanOrEqual(2);
});

test('too many waiting reports of a project, or too many bytes, are rejected; others are not', async () => {
  const { queue, report } = startQueue();
  const all = Array.from({ length: 10_100 }, () => report(1));
  const other = report(2);
  const outcomes = await Promise.allSettled(all);
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(96);
  expect(queue.rejectedCount).toBe(96);
  await other;
  const huge = Array.from({ length: 20 }, () =>
    queue.run(
      () => 3,
      1024 * 1024,
      async () => void (await report(4, 5)),
    ),
  );
  expect((await Promise.allSettled(huge)).some(({ status }) => status === 'rejected')).toBe(true);
});

test('a failure of work reaches its caller and delays no other work', async () => {
  const { queue, report } = startQueue();
  const all = Array.from({ length: 10 }, () => report(1));
  await expect(
    queue.run(
      () => 1,
      1,
      () => Promise.reject(new Error('broken')),
    ),
  ).rejects.toThrow('broken');
  await Promise.all(all);
});
