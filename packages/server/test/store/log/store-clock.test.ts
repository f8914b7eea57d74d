import type { ErrorGroup, GroupDetails, Page, Project } from '@service/protocol';
import { afterEach, describe, expect, test } from 'vitest';
import { cleanUp, temporaryFolder } from '../../test-utils/describe-service.ts';
import { openService, type OpenService } from '../../test-utils/open-service.ts';
import { isThorough } from '../../../../../test/test-utils/depth.ts';

afterEach(cleanUp);

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const yearMs = 365 * dayMs;
const began = Date.parse('2026-11-10T10:30:00.000Z');

/** A server on a machine whose clock is `aheadMs` ahead of the true time. */
class Machine {
  trueMs = began;
  aheadMs = 0;
  readonly #storage: string;
  #tasks: (() => void)[] = [];
  #service: OpenService | null = null;
  #project: Project | null = null;

  constructor(folder: string) {
    this.#storage = `file:${folder}`;
  }

  get service(): OpenService {
    if (!this.#service) throw new Error('The server does not run.');
    return this.#service;
  }

  async start(): Promise<void> {
    this.#tasks = [];
    this.#service = await openService(
      { storage: this.#storage },
      {
        now: () => this.trueMs + this.aheadMs,
        timing: {
          now: () => this.trueMs,
          sleep: async () => undefined,
          every: (_ms, task) => {
            this.#tasks.push(task);
            return () => undefined;
          },
        },
      },
    );
    this.#project ??= (await this.service.call<Project>('POST', 'projects', { body: { name: 'Shop' } })).body;
  }

  async stop(): Promise<void> {
    await this.service.close();
  }

  /** Lets time pass, in which the server checks its clock. */
  async pass(ms: number): Promise<void> {
    this.trueMs += ms;
    // A check does nothing while earlier work is in progress.
    for (let check = 0; check < 5; check++) {
      for (const task of this.#tasks) task();
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }

  async report(message: string): Promise<void> {
    const body = { project_api_key: this.#project?.api_key, message };
    expect((await this.service.call('POST', 'errors', { body })).status).toBe(200);
  }

  async groups(): Promise<Map<string, ErrorGroup>> {
    const { body } = await this.service.call<Page<ErrorGroup>>('GET', 'errors');
    return new Map(body.items.map((group) => [group.message, group]));
  }

  async details(message: string): Promise<GroupDetails> {
    const id = (await this.groups()).get(message)?.error_group_id;
    return (await this.service.call<GroupDetails>('GET', `errors/${id}`)).body;
  }

  async stopAndStart(downMs: number): Promise<void> {
    await this.stop();
    this.trueMs += downMs;
    await this.start();
  }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

const allSizes: [string, number][] = [
  ['20 minutes', 20 * minuteMs],
  ['5 hours', 5 * hourMs],
  ['20 days', 20 * dayMs],
  ['100 days', 100 * dayMs],
  ['10 years', 10 * yearMs],
];
/** A short run tests a jump within what a trend shows, and one over the retention. */
const sizes = isThorough ? allSizes : allSizes.filter(([name]) => name === '5 hours' || name === '100 days');

describe.each(sizes)('a clock that jumps by %s', (_name, size) => {
  describe.each([
    ['ahead and back', size],
    ['back and ahead', -size],
  ])('%s', (_way, jump) => {
    test.each([
      ['while the server runs', false, false],
      ['at a start, and back while the server runs', true, false],
      ['while the server runs, and back at a start', false, true],
      ['at starts', true, true],
    ])('%s, loses no report, and times are correct afterwards', async (_when, goesAtStart, returnsAtStart) => {
      const machine = new Machine(await temporaryFolder());
      await machine.start();
      await machine.report('before');
      await machine.report('always');
      await machine.pass(2 * hourMs);
      if (goesAtStart) await machine.stop();
      machine.aheadMs = jump;
      if (goesAtStart) await machine.start();
      await machine.pass(10 * minuteMs);
      const wrongAt = machine.trueMs;
      await machine.report('always');
      await machine.report('while wrong');
      await machine.pass(50 * minuteMs);
      await machine.report('while wrong');
      if (returnsAtStart) await machine.stop();
      machine.aheadMs = 0;
      if (returnsAtStart) await machine.start();
      await machine.pass(5 * minuteMs);

      const groups = await machine.groups();
      // A leap between two starts may be taken for the time in which the server was off.
      const toleranceMs = goesAtStart || returnsAtStart ? 2 * hourMs : 2 * minuteMs;
      const expectNear = (shown: string | undefined, at: number): void => {
        expect(
          Math.abs(Date.parse(shown ?? '') - at),
          `${shown} is not near ${new Date(at).toISOString()}`,
        ).toBeLessThanOrEqual(toleranceMs);
        expect(Date.parse(shown ?? '')).toBeLessThanOrEqual(machine.trueMs);
      };
      expectNear(groups.get('before')?.last_seen, began);
      expectNear(groups.get('always')?.first_seen, began);
      expectNear(groups.get('always')?.last_seen, wrongAt);
      expectNear(groups.get('while wrong')?.first_seen, wrongAt);
      expectNear(groups.get('while wrong')?.last_seen, wrongAt + 50 * minuteMs);
      for (const [message, count] of [
        ['before', 1],
        ['always', 2],
        ['while wrong', 2],
      ] as const) {
        const shown = await machine.details(message);
        expect(shown.count).toBe(count);
        expect(sum(shown.trend), `the trend of "${message}"`).toBe(count);
        expect(sum(shown.daily), `the days of "${message}"`).toBe(count);
        expectNear(shown.latest_report?.received_at, Date.parse(shown.last_seen));
      }
      const usage = await machine.service.call<{ errors: { used: number } }>('GET', 'billing/usage');
      expect(usage.body.errors.used).toBe(5);

      // The state is the same after a compaction and a start.
      const before = await machine.service.call('GET', 'errors');
      await machine.service.services.store.compact();
      await machine.stopAndStart(0);
      expect((await machine.service.call('GET', 'errors')).body).toEqual(before.body);
      await machine.stop();
    });
  });
});

test('a clock leap that returns is corrected once, also over starts without writes, and earlier leaps stay recorded', async () => {
  const machine = new Machine(await temporaryFolder());
  await machine.start();
  await machine.report('before');
  machine.aheadMs = 31 * dayMs;
  await machine.pass(minuteMs);
  await machine.report('after a real leap');
  const shown = (await machine.groups()).get('after a real leap')?.first_seen;
  await machine.stop();
  machine.aheadMs += 31 * dayMs;
  for (let starts = 0; starts < 4; starts++) {
    await machine.start();
    await machine.stop();
  }
  machine.aheadMs -= 31 * dayMs;
  await machine.start();
  await machine.report('after the return');
  expect((await machine.groups()).get('after a real leap')?.first_seen).toBe(shown);
  machine.aheadMs = 0;
  await machine.pass(minuteMs);
  for (const { first_seen, last_seen } of (await machine.groups()).values()) {
    expect(Date.parse(first_seen)).toBeGreaterThanOrEqual(began);
    expect(Date.parse(last_seen)).toBeLessThanOrEqual(machine.trueMs);
  }
  await machine.stop();
});

test('many starts with a clock that is behind do not evict the recorded leaps', async () => {
  const machine = new Machine(await temporaryFolder());
  await machine.start();
  await machine.report('before');
  machine.aheadMs = yearMs;
  await machine.pass(minuteMs);
  await machine.report('while wrong');
  await machine.stop();
  machine.aheadMs = -10 * yearMs;
  for (let starts = 0; starts < 10; starts++) {
    await machine.start();
    machine.trueMs += 1_000;
    await machine.report('while behind');
    await machine.stop();
  }
  machine.aheadMs = 0;
  await machine.start();
  const wrong = (await machine.groups()).get('while wrong');
  expect(Date.parse(wrong?.first_seen ?? '')).toBeLessThanOrEqual(machine.trueMs);
  await machine.stop();
});

test('a compaction keeps the corrected time of a stored report that is corrected during the copy', async () => {
  const machine = new Machine(await temporaryFolder());
  await machine.start();
  await machine.report('before');
  machine.aheadMs = yearMs;
  await machine.pass(minuteMs);
  await machine.report('while wrong');
  const { store } = machine.service.services;
  let isReturned = false;
  const unsubscribe = store.onCommit(() => {
    if (isReturned) return;
    isReturned = true;
    machine.aheadMs = 0;
    void store.commit(() => undefined);
  });
  await store.compact();
  unsubscribe();
  expect(isReturned).toBe(true);
  const { latest_report: report } = await machine.details('while wrong');
  expect(Date.parse(report?.received_at ?? '')).toBeLessThanOrEqual(machine.trueMs);
  await machine.stop();
});

test('no report expires if a new server is restarted while its clock is far ahead', async () => {
  const machine = new Machine(await temporaryFolder());
  await machine.start();
  await machine.report('before');
  machine.aheadMs = 10 * yearMs;
  // The server stops before it has checked its clock.
  await machine.report('while wrong');
  await machine.stopAndStart(0);
  await machine.service.services.store.compact();
  machine.aheadMs = 0;
  await machine.pass(minuteMs);
  expect((await machine.details('before')).latest_report).not.toBeNull();
  await machine.stop();
});
