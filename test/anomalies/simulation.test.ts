import { describe, expect, test } from 'vitest';
import { chosen, isFull } from './simulation/depth.ts';
import { failureReport } from './simulation/failure-report.ts';
import { simulate, storageOf, type Plan } from './simulation/simulate.ts';

const seeds = chosen('SEEDS') ?? (isFull ? 1_000 : 30);
const seedsATest = 10;

/** First and last seed of each test: so many tests, so much to see of how far it is. */
function spans(): [number, number][] {
  const only = chosen('SEED');
  if (only !== null) return [[only, only]];
  return Array.from({ length: Math.ceil(seeds / seedsATest) }, (_, index) => [
    index * seedsATest + 1,
    Math.min(seeds, (index + 1) * seedsATest),
  ]);
}

describe('over a storage that fails, stalls and forgets, with a server that is killed and a clock that jumps', () => {
  test.each(spans())('what is answered is kept, once: seeds %i to %i', { timeout: 300_000 }, async (first, last) => {
    let lived = 0;
    for (let seed = first; seed <= last; seed++, lived++) {
      const plan: Plan = { seed, storage: storageOf(seed) };
      const outcome = await simulate(plan);
      if (outcome.failure) throw failureReport(plan, outcome, 'simulation');
    }
    expect(lived).toBe(last - first + 1);
  });

  test('a seed is a whole run: lived again, it is the same to the last operation', { timeout: 60_000 }, async () => {
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
