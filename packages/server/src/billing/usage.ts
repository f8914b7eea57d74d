import type { Usage } from '@service/protocol';
import type { Caller } from '../accounts/caller.ts';
import type { Services } from '../services.ts';
import { monthOf, monthStart, nextMonth } from '../store/month.ts';

/** What the caller's team has used this month, every report that was answered until now in it. */
export async function readUsage({ store, plans, now, log }: Services, { teamId }: Caller): Promise<Usage> {
  // Where nothing can be written, what was known before can be read all the same.
  await store.tellRefused().catch((error: unknown) => log.warn({ err: error }, 'refused reports could not be counted'));
  return usageOf({ store, plans, now }, teamId);
}

/** What a team has used this month, as far as the log tells. */
export function usageOf({ store, plans, now }: Pick<Services, 'store' | 'plans' | 'now'>, teamId: number): Usage {
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
