import { describe, expect, test } from 'vitest';
import { isFull, isThorough } from '../test-utils/depth.ts';
import { numberFromEnv } from './simulation/number-from-env.ts';
import { failureReport } from './simulation/failure-report.ts';
import { simulate, storageOf, type Plan } from './simulation/simulate.ts';

const seeds = numberFromEnv('SEEDS') ?? (isFull ? 1_000 : isThorough ? 30 : 5);
/** The number of seeds on the driver `postgres:`. */
const seedsOnTables = numberFromEnv('SEEDS') ?? (isFull ? 500 : isThorough ? 20 : 5);
const seedsPerTest = 10;

/** Returns the first and last seed of each test. Several tests show the progress. */
function seedRanges(count = seeds): [number, number][] {
  const only = numberFromEnv('SEED');
  if (only !== null) return [[only, only]];
  return Array.from({ length: Math.ceil(count / seedsPerTest) }, (_, index) => [
    index * seedsPerTest + 1,
    Math.min(count, (index + 1) * seedsPerTest),
  ]);
}

describe('a server with a failing storage, crashes, power failures and clock jumps', () => {
  test.each(seedRanges())(
    'every acknowledged write is kept exactly once: seeds %i to %i',
    { timeout: 300_000 },
    async (first, last) => {
      let runs = 0;
      for (let seed = first; seed <= last; seed++, runs++) {
        const plan: Plan = { seed, storage: storageOf(seed) };
        const outcome = await simulate(plan);
        if (outcome.failure) throw failureReport(plan, outcome, 'simulation');
      }
      expect(runs).toBe(last - first + 1);
    },
  );

  test.each(seedRanges(seedsOnTables))(
    'every acknowledged write is kept exactly once on PostgreSQL: seeds %i to %i',
    { timeout: 300_000 },
    async (first, last) => {
      for (let seed = first; seed <= last; seed++) {
        const plan: Plan = { seed, storage: 'tables' };
        const outcome = await simulate(plan);
        if (outcome.failure) throw failureReport(plan, outcome, 'simulation');
        expect(outcome.operations).toBeGreaterThan(10);
      }
    },
  );

  // An empty segment whose name was not durable, counts of a day after two corrections, a read that two requests share.
  test.each([482, 530, 1_393, 1_546])('seed %i, which has found a bug', async (seed) => {
    const plan: Plan = { seed, storage: storageOf(seed) };
    const outcome = await simulate(plan);
    if (outcome.failure) throw failureReport(plan, outcome, 'simulation');
    expect(outcome.operations).toBeGreaterThan(10);
  });

  test('a repeated seed gives the same trace, to the last operation', async () => {
    for (const seed of [2, 3]) {
      const [once, again] = [
        await simulate({ seed, storage: storageOf(seed) }),
        await simulate({ seed, storage: storageOf(seed) }),
      ];
      expect(again.trace).toEqual(once.trace);
      expect(once.operations).toBeGreaterThan(100);
    }
  });
});
