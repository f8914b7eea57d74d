import { expect, test } from 'vitest';
import { Semaphore } from '../../src/jobs/semaphore.ts';

/** Lets these lanes wait for a running task, and resolves with the order in which they ran. */
async function orderOf(lanes: number[]): Promise<string[]> {
  const semaphore = new Semaphore(1);
  const release = await semaphore.acquire();
  const order: string[] = [];
  const all = lanes.map((lane, index) => semaphore.run(async () => void order.push(`${lane}${'abcdef'[index]}`), lane));
  release();
  await Promise.all(all);
  expect([semaphore.isFull, semaphore.hasWaiters]).toEqual([false, false]);
  return order;
}

test('a semaphore runs the tasks of a lane in order', async () => {
  expect(await orderOf([1, 1, 1])).toEqual(['1a', '1b', '1c']);
});

test('a semaphore delays other lanes by one task of a lane with many', async () => {
  expect(await orderOf([1, 1, 1, 2, 3, 2])).toEqual(['1a', '2d', '3e', '1b', '2f', '1c']);
});

test('a semaphore rejects tasks beyond the limit of all lanes together', async () => {
  const semaphore = new Semaphore(1, 1);
  const release = await semaphore.acquire(1);
  const waiting = semaphore.acquire(1);
  await expect(semaphore.acquire(2)).rejects.toMatchObject({ code: 'overloaded' });
  release();
  (await waiting)();
  expect(semaphore.isFull).toBe(false);
});
