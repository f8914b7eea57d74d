import { json } from 'node:stream/consumers';
import { setPlan, type PlanChange } from '../billing/set-plan.ts';
import type { Config } from '../config.ts';
import { Plans } from '../plans/plans.ts';
import { printable } from '../text/printable.ts';
import { callServer } from './call-server.ts';
import { openStoppedStore } from './open-stopped-store.ts';
import { assertPersistent } from './stopped-storage.ts';

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
  const store = await openStoppedStore(config);
  try {
    return await setPlan({ store, plans: new Plans(config) }, team, planId);
  } finally {
    await store.close();
  }
}
