import { expect, test } from 'vitest';
import { Semaphore } from '../../src/symbolication/semaphore.ts';

/** Has these lanes wait while another turn is taken, and resolves with the order of their turns. */
async function orderOf(lanes: number[]): Promise<string[]> {
  const turns = new Semaphore(1);
  const end = await turns.acquire();
  const order: string[] = [];
  const all = lanes.map((lane, index) => turns.run(async () => void order.push(`${lane}${'abcdef'[index]}`), lane));
  end();
  await Promise.all(all);
  expect([turns.isFull, turns.hasWaiters]).toEqual([false, false]);
  return order;
}

test('within a lane the first that came has the first turn', async () => {
  expect(await orderOf([1, 1, 1])).toEqual(['1a', '1b', '1c']);
});

test('a lane with many that wait holds up the others for one turn', async () => {
  expect(await orderOf([1, 1, 1, 2, 3, 2])).toEqual(['1a', '2d', '3e', '1b', '2f', '1c']);
});

test('past the limit of all lanes together, others are turned away', async () => {
  const turns = new Semaphore(1, 1);
  const end = await turns.acquire(1);
  const waiting = turns.acquire(1);
  await expect(turns.acquire(2)).rejects.toMatchObject({ code: 'overloaded' });
  end();
  (await waiting)();
  expect(turns.isFull).toBe(false);
});
