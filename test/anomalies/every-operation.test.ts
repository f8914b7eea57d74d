import { describe, expect, test } from 'vitest';
import { chosen, isFull } from './simulation/depth.ts';
import { failureReport } from './simulation/failure-report.ts';
import { simulate, type Plan } from './simulation/simulate.ts';
import { storageNames, type StorageName } from './simulation/storage.ts';
import { deaths, faults } from './simulation/weather.ts';

/** A session in which nothing goes wrong by itself. */
const session = { seed: 11, steps: 2, isCalm: true };
/** In `npm test`, one of so many operations. */
const stride = isFull ? 1 : 17;

const troubles = [
  ...faults.map((fault) => ({ fault, losesPower: false })),
  ...deaths.flatMap((fault) => [false, true].map((losesPower) => ({ fault, losesPower }))),
];

describe.each(storageNames)('one session, and each operation of its storage goes wrong once: %s', (storage) => {
  test.each(troubles)('it $fault (power lost: $losesPower)', { timeout: 600_000 }, async ({ fault, losesPower }) => {
    const only = chosen('OPERATION');
    const { operations } = await live({ ...session, storage });
    expect(operations).toBeGreaterThan(40);
    const first = only ?? 1 + (troubles.findIndex((trouble) => trouble.fault === fault) % stride);
    for (let operation = first; operation <= (only ?? operations); operation += stride)
      await live({ ...session, storage, trouble: { operation, fault, losesPower } });
  });
});

async function live(plan: Plan & { storage: StorageName }): Promise<{ operations: number }> {
  const outcome = await simulate(plan);
  if (outcome.failure) throw failureReport(plan, outcome, 'every-operation');
  return outcome;
}
