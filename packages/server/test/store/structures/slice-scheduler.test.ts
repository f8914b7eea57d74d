import { expect, test } from 'vitest';
import { SliceScheduler } from '../../../src/store/structures/slice-scheduler.ts';

test('the work of an owner with a hundred tasks alternates with that of another owner', async () => {
  const scheduler = new SliceScheduler();
  const order: number[] = [];
  const run = (owner: number, steps: number): Promise<void> =>
    scheduler.run(owner, () => {
      order.push(owner);
      return --steps <= 0;
    });
  const greedy = Array.from({ length: 100 }, () => run(1, 20));
  await run(2, 5);
  expect(order.slice(0, 9)).toEqual([1, 2, 1, 2, 1, 2, 1, 2, 1]);
  await Promise.all(greedy);
  expect(order).toHaveLength(2_005);
});

test('other work runs between two slices', async () => {
  const scheduler = new SliceScheduler();
  let isOtherDone = false;
  let slicesBefore = 0;
  // Not done before the other work is.
  const work = scheduler.run(1, (endsAt) => {
    slicesBefore++;
    while (performance.now() < endsAt);
    return isOtherDone;
  });
  setImmediate(() => (isOtherDone = true));
  await work;
  expect(slicesBefore).toBe(2);
});

test('work that throws rejects, and the work of others continues', async () => {
  const scheduler = new SliceScheduler();
  const failing = scheduler.run(1, () => {
    throw new Error('It broke');
  });
  const other = scheduler.run(2, () => true);
  await expect(failing).rejects.toThrow('It broke');
  await other;
});
