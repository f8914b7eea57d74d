import { describe, expect, test } from 'vitest';
import { isFull, isThorough } from '../test-utils/depth.ts';
import { numberFromEnv } from './simulation/number-from-env.ts';
import { failureReport } from './simulation/failure-report.ts';
import { simulate, type Plan } from './simulation/simulate.ts';
import { storageNames, type StorageName } from './simulation/storage.ts';
import { deadlyFaults, faults } from './simulation/fault-injector.ts';

/** A session without random faults. */
const session = { seed: 11, steps: 2, withoutRandomFaults: true };
/** A full run tests every operation, a thorough one every 17th, a short one every 101st. */
const stride = isFull ? 1 : isThorough ? 17 : 101;

const plannedFaults = [
  ...faults.map((fault) => ({ fault, losesPower: false })),
  ...deadlyFaults.flatMap((fault) => [false, true].map((losesPower) => ({ fault, losesPower }))),
];

describe.each(storageNames)('a fault in each storage operation of a session: %s', (storage) => {
  test.each(plannedFaults)(
    'loses no acknowledged write when an operation $fault (power lost: $losesPower)',
    { timeout: isFull ? 1_800_000 : 600_000 },
    async ({ fault, losesPower }) => {
      const only = numberFromEnv('OPERATION');
      const { operations } = await run({ ...session, storage });
      expect(operations).toBeGreaterThan(40);
      const first = only ?? 1 + (plannedFaults.findIndex((plannedFault) => plannedFault.fault === fault) % stride);
      for (let operation = first; operation <= (only ?? operations); operation += stride)
        await run({ ...session, storage, plannedFault: { operation, fault, losesPower } });
    },
  );
});

async function run(plan: Plan & { storage: StorageName }): Promise<{ operations: number }> {
  const outcome = await simulate(plan);
  if (outcome.failure) throw failureReport(plan, outcome, 'every-operation');
  return outcome;
}
