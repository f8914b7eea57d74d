import type { Usage } from '@service/protocol';
import type { Plans } from './plans.ts';
import { monthOf, monthStart, nextMonth } from '../store/records/month.ts';
import type { StorageBudget } from '../store/storage-budget.ts';
import type { Store } from '../store/store.ts';

interface MonthSources {
  store: Pick<Store, 'model'>;
  plans: Plans;
  now: () => number;
}

export interface UsageSources extends MonthSources {
  store: Pick<Store, 'model' | 'room'>;
  storageBudget: Pick<StorageBudget, 'projectBytes' | 'unstoredOf'>;
  addressLimits: Usage['address_limits'];
}

/** Returns the usage of a team this month. Rejected reports of the last second may be missing. */
export function teamUsage(sources: UsageSources, teamId: number): Usage {
  return {
    ...monthlyUsage(sources, teamId),
    storage: storageUsage(sources, teamId),
    address_limits: sources.addressLimits,
  };
}

/** Returns the part of the usage that the plan limits. */
export function monthlyUsage(
  { store, plans, now }: MonthSources,
  teamId: number,
): Pick<Usage, 'plan' | 'period_start' | 'period_end' | 'errors' | 'ai'> {
  const at = now();
  const plan = plans.of(store.model.tables.teams.get(teamId));
  const { errors, refused, refusedSince, ai } = store.model.usage.get(teamId, monthOf(at));
  return {
    plan: plan.id,
    period_start: new Date(monthStart(at)).toISOString(),
    period_end: new Date(nextMonth(at)).toISOString(),
    errors: {
      used: errors,
      quota: plan.error_quota,
      refused,
      refused_since: refusedSince === null ? null : new Date(refusedSince).toISOString(),
    },
    ai: { used: ai, quota: plan.ai_quota },
  };
}

function storageUsage({ store, storageBudget }: UsageSources, teamId: number): Usage['storage'] {
  const { tables, groups } = store.model;
  let usedBytes = 0;
  let notStored = 0;
  let largest: Usage['storage']['largest_project'] = null;
  for (const { id } of tables.projects.of(teamId)) {
    const used_bytes = groups.sizes.storedBytesOf(id);
    usedBytes += used_bytes;
    notStored += storageBudget.unstoredOf(id);
    if (used_bytes > (largest?.used_bytes ?? 0)) largest = { project_id: id, used_bytes };
  }
  return {
    state: store.room.isFull ? 'full' : store.room.isLow ? 'low' : 'ok',
    used_bytes: usedBytes,
    project_limit_bytes: storageBudget.projectBytes,
    largest_project: largest,
    not_stored: notStored,
  };
}
