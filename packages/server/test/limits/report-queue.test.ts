import { setImmediate, setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ReportQueue } from '../../src/limits/report-queue.ts';

/**
 * Starts a queue with a clock that advances by `ms` for each report. By default, the project has the id of its team.
 */
function startQueue(): {
  queue: ReportQueue;
  started: number[];
  report: (team: number, ms?: number, project?: number) => Promise<void>;
} {
  let time = 0;
  const queue = new ReportQueue(() => time);
  const started: number[] = [];
  const report = (team: number, ms = 1, project = team): Promise<void> =>
    queue.run(
      () => ({ teamId: team, projectId: project }),
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

test('a team with many reports delays another team by one report per turn', async () => {
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

test('the share of a team is measured by the time of its work', async () => {
  const { started, report } = startQueue();
  const all = [...Array.from({ length: 5 }, () => report(1, 10)), ...Array.from({ length: 20 }, () => report(2))];
  await Promise.all(all);
  // The first twelve have at most three reports of team 1, because each of them takes as long as ten of team 2.
  expect(started.slice(0, 12).filter((team) => team === 2).length).toBeGreaterThanOrEqual(9);
});

test('a team with many projects gets the time of one team', async () => {
  const { started, report } = startQueue();
  const all = Array.from({ length: 200 }, (_, index) => report(1, 1, 100 + index));
  all.push(...Array.from({ length: 10 }, () => report(2)));
  await Promise.all(all);
  expect(started.slice(4, 24).filter((project) => project === 2)).toHaveLength(10);
});

test('the projects of a team take turns, by time', async () => {
  const { started, report } = startQueue();
  const all = Array.from({ length: 20 }, () => report(1, 10, 11));
  all.push(...Array.from({ length: 10 }, () => report(1, 1, 12)));
  await Promise.all(all);
  expect(started.slice(0, 14).filter((project) => project === 12)).toHaveLength(10);
});

test('a team that was idle gets no more than its share later', async () => {
  const { started, report } = startQueue();
  await Promise.all(Array.from({ length: 100 }, () => report(1)));
  const before = started.length;
  await Promise.all(Array.from({ length: 50 }, () => [report(1), report(2)]).flat());
  const half = started.slice(before, before + 50).filter((team) => team === 2).length;
  expect(half).toBeGreaterThanOrEqual(20);
  expect(half).toBeLessThanOrEqual(30);
});

test('when the waiting reports of all teams have too many bytes, those of the team with the most are rejected', async () => {
  const { queue, report } = startQueue();
  await Promise.all(Array.from({ length: 4 }, () => report(9)));
  const mb = 1024 * 1024;
  const send = (teamId: number, bytes: number): Promise<void> =>
    queue.run(
      () => ({ teamId, projectId: teamId }),
      bytes,
      async () => void (await report(9, 5)),
    );
  // The first reports start at once.
  const small = [...Array.from({ length: 4 }, () => send(4, 1)), ...Array.from({ length: 5 }, () => send(3, mb))];
  const huge = Array.from({ length: 15 }, () => [send(1, mb), send(2, mb)]).flat();
  const outcomes = await Promise.allSettled([...small, ...huge]);
  const rejected = outcomes.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []));
  expect(rejected.length).toBeGreaterThan(8);
  expect(rejected.every((index) => index >= small.length)).toBe(true);
});

test('reports of a team are rejected if too many of them or too many bytes wait, and those of other teams are accepted', async () => {
  const { queue, report } = startQueue();
  const all = Array.from({ length: 10_100 }, () => report(1));
  const other = report(2);
  const outcomes = await Promise.allSettled(all);
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(96);
  expect(queue.rejectedCount).toBe(96);
  await other;
  const huge = Array.from({ length: 20 }, () =>
    queue.run(
      () => ({ teamId: 3, projectId: 3 }),
      1024 * 1024,
      async () => void (await report(4, 5)),
    ),
  );
  expect((await Promise.allSettled(huge)).some(({ status }) => status === 'rejected')).toBe(true);
});

test('a small report waits for no large report, and large ones wait until the one before is stored', async () => {
  const { queue, report } = startQueue();
  let store = (): void => undefined;
  const stored = new Promise<void>((resolve) => (store = resolve));
  const started: string[] = [];
  const sendLarge = (name: string, teamId: number): Promise<void> =>
    queue.run(
      () => ({ teamId, projectId: teamId }),
      900_000,
      async () => {
        started.push(name);
        await stored;
      },
    );
  const all = [sendLarge('first', 1), sendLarge('second', 1), sendLarge('of another team', 2)];
  await report(3);
  await report(1, 1, 12);
  await setImmediate();
  expect(started).toEqual(['first']);
  store();
  await Promise.all(all);
  // Team 1 has used time for its small report.
  expect(started).toEqual(['first', 'of another team', 'second']);
});

test('a large report starts although smaller ones of another team always fit before it', async () => {
  const { queue } = startQueue();
  let isStarted = false;
  const send = (teamId: number, bytes: number, work: () => Promise<void>): Promise<void> =>
    queue.run(() => ({ teamId, projectId: teamId }), bytes, work);
  const over = new AbortController();
  // Of different durations, so that some are always started.
  const flood = async (_: unknown, index: number): Promise<void> => {
    while (!over.signal.aborted) await send(1, 20_000, async () => void (await setTimeout(5 + (index % 17))));
  };
  const senders = Array.from({ length: 100 }, flood);
  await setTimeout(50);
  const large = send(2, 1_000_000, async () => void (isStarted = true));
  const small = send(2, 100, async () => undefined);
  await Promise.race([Promise.all([large, small]), setTimeout(60_000, undefined, { ref: false })]);
  expect(isStarted).toBe(true);
  over.abort();
  await Promise.all(senders);
});

test('a large report that fails delays no other one', async () => {
  const { queue } = startQueue();
  const send = (work: () => Promise<void>): Promise<void> =>
    queue.run(() => ({ teamId: 1, projectId: 1 }), 900_000, work);
  const failing = send(() => Promise.reject(new Error('broken')));
  const other = send(async () => undefined);
  await expect(failing).rejects.toThrow('broken');
  await other;
});

test('work that fails rejects its caller and delays no other work', async () => {
  const { queue, report } = startQueue();
  const all = Array.from({ length: 10 }, () => report(1));
  await expect(
    queue.run(
      () => ({ teamId: 1, projectId: 1 }),
      1,
      () => Promise.reject(new Error('broken')),
    ),
  ).rejects.toThrow('broken');
  await Promise.all(all);
});
