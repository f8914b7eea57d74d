import { expect, test } from 'vitest';
import { FairSlices } from '../../src/store/structures/fair-slices.ts';

test('the work of an owner with a hundred tasks alternates with that of another owner', async () => {
  const slices = new FairSlices();
  const order: number[] = [];
  const run = (owner: number, steps: number): Promise<void> =>
    slices.run(owner, () => {
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
  const slices = new FairSlices();
  let isOtherDone = false;
  let slicesBefore = 0;
  // Not done before the other work is.
  const work = slices.run(1, (endsAt) => {
    slicesBefore++;
    while (performance.now() < endsAt);
    return isOtherDone;
  });
  setImmediate(() => (isOtherDone = true));
  await work;
  expect(slicesBefore).toBe(2);
});

test('work that throws rejects, and the work of others continues', async () => {
  const slices = new FairSlices();
  const failing = slices.run(1, () => {
    throw new Error('It broke');
  });
  const other = slices.run(2, () => true);
  await expect(failing).rejects.toThrow('It broke');
  await other;
});
