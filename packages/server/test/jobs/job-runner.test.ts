import { expect, test, vi } from 'vitest';
import { Table } from '../../src/store/records/table.ts';
import { startJobRunner } from '../../src/jobs/job-runner.ts';

interface Job {
  id: number;
  dueAt: number;
  lane: string;
}

/** Runs the jobs once each, at most `maxConcurrent` at a time. Resolves with their order. */
async function orderOf(jobs: Job[], maxConcurrent = 1): Promise<number[]> {
  const table = new Table<Job>();
  for (const job of jobs) table.put(job);
  const order: number[] = [];
  const runner = startJobRunner<Job>(
    { store: { onCommit: () => () => undefined, driver: {} }, now: () => 1_000 },
    {
      table,
      maxConcurrent,
      dueAt: ({ dueAt }) => dueAt,
      laneOf: ({ lane }) => lane,
      graceMs: 0,
      async run({ id }) {
        order.push(id);
        await Promise.resolve();
        table.remove(id);
      },
      onFailure: (_job, error) => expect.unreachable(String(error)),
    },
  );
  await expect.poll(() => order.length).toBe(jobs.filter(({ dueAt }) => dueAt <= 1_000).length);
  await runner.stop();
  return order;
}

const job = (id: number, dueAt: number, lane = String(id)): Job => ({ id, dueAt, lane });

test('a job runner runs the job that has been due longest first', async () => {
  expect(await orderOf([job(1, 900), job(2, 300), job(3, 500), job(4, 2_000)])).toEqual([2, 3, 1]);
  expect(await orderOf([job(1, 900), job(2, 300), job(3, 500), job(4, 100)], 2)).toEqual([4, 2, 3, 1]);
});

test('a job runner runs jobs that are due at the same time by id, and one per lane at a time', async () => {
  expect(await orderOf([job(1, 500), job(2, 500), job(3, 500)])).toEqual([1, 2, 3]);
  const [first, second] = await orderOf([job(1, 900, 'a'), job(2, 300, 'a'), job(3, 500, 'b'), job(4, 400, 'a')], 2);
  expect([first, second]).toEqual([2, 3]);
});

/** Starts a runner whose server holds the log as long as `isHeld` says. Returns the table and what it has done. */
function startHeldRunner(isHeld: () => boolean) {
  const table = new Table<Job>();
  const done: number[] = [];
  let commit = (): void => undefined;
  const runner = startJobRunner<Job>(
    {
      store: { onCommit: (listener) => ((commit = listener as () => void), () => undefined), driver: { isHeld } },
      now: () => 1_000,
    },
    {
      table,
      maxConcurrent: 4,
      dueAt: ({ dueAt }) => dueAt,
      laneOf: ({ lane }) => lane,
      graceMs: 0,
      async run({ id }) {
        done.push(id);
        table.remove(id);
      },
      onFailure: (_job, error) => expect.unreachable(String(error)),
    },
  );
  return { table, done, commit: () => commit(), stop: () => runner.stop() };
}

test('a job runner starts nothing while another server may hold the log', async () => {
  let isHeld = true;
  const { table, done, commit, stop } = startHeldRunner(() => isHeld);
  const add = (id: number): void => {
    table.put(job(id, 500));
    commit();
  };
  add(1);
  isHeld = false;
  add(2);
  expect(done).toEqual([1]);
  isHeld = true;
  add(3);
  expect(done).toEqual([1, 2, 3]);
  await stop();
});

test('a job runner starts a row without another commit once the log is held again', async () => {
  let isHeld = false;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const { table, done, stop } = startHeldRunner(() => isHeld);
    table.put(job(1, 500));
    vi.advanceTimersByTime(5_000);
    expect(done).toEqual([]);
    isHeld = true;
    vi.advanceTimersByTime(1_000);
    expect(done).toEqual([1]);
    await stop();
  } finally {
    vi.useRealTimers();
  }
});
