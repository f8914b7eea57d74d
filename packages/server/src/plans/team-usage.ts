import type { Usage } from '@service/protocol';
import type { Plans } from './plans.ts';
import { monthOf, monthStart, nextMonth } from '../store/records/month.ts';
import type { Store } from '../store/store.ts';

export interface UsageSources {
  store: Pick<Store, 'model'>;
  plans: Plans;
  now: () => number;
}

/** Returns the usage of a team this month. Rejected reports of the last second may be missing. */
export function teamUsage({ store, plans, now }: UsageSources, teamId: number): Usage {
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
