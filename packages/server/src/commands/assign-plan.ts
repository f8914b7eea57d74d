import { json } from 'node:stream/consumers';
import { setPlan, type PlanChange } from '../billing/set-plan.ts';
import type { Config } from '../config.ts';
import { Plans } from '../plans/plans.ts';
import { printable } from '../text/printable.ts';
import { openStore } from '../store/store.ts';
import { callServer } from './call-server.ts';
import { CommandError } from './command-error.ts';
import { isRedis, openStopped, assertPersistent } from './stopped-storage.ts';

/**
 * Assigns a plan to a team, through the running server or else directly in the storage. Rejects with a `CommandError`
 * if the storage is Redis and no server can be reached.
 */
export async function assignPlan(config: Config, team: string, planId: string): Promise<string> {
  assertPersistent(config.storage, 'change');
  const response = await callServer(config.storage, '/plan', { team, plan: planId });
  const changed = response ? ((await json(response)) as PlanChange) : await change(config, team, planId);
  const { team: found, plan: given } = changed;
  return `Team ${found.id} (${printable(found.name)}) has the plan ${given.id} (${given.name}).`;
}

async function change(config: Config, team: string, planId: string): Promise<PlanChange> {
  // A server on another machine may use this Redis. Only that server may write to the log.
  if (isRedis(config.storage))
    throw new CommandError(
      'No server on this machine uses this Redis, but one on another machine may. Run this where the server runs.',
    );
  const store = await openStore(await openStopped(config.storage), {
    retentionReports: config.retentionReports,
    retentionDays: config.retentionDays,
    sourceMapDays: config.sourceMapDays,
    now: Date.now,
    warn: (error, message) => console.error(`service-server: ${message}: ${(error as Error).message}`),
  });
  try {
    return await setPlan({ store, plans: new Plans(config) }, team, planId);
  } finally {
    await store.close();
  }
}
