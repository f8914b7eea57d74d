import { ProblemError } from '../problem.ts';
import type { Draft } from '../store/log/transaction.ts';
import { nextMonth } from '../store/records/month.ts';

/**
 * Throws `error_quota_exhausted` if the team has used its reports of this month, and counts the report as dropped.
 * `errorQuota` is a number of reports per month; null is unlimited.
 */
export function assertErrorQuota(draft: Draft, teamId: number, errorQuota: number | null): void {
  if (errorQuota === null || draft.errorsUsed(teamId) < errorQuota) return;
  draft.countRefused(teamId);
  throw new ProblemError('error_quota_exhausted', 'The error quota of the plan is used up for this month.', {
    retryAfterSeconds: Math.ceil((nextMonth(draft.now) - draft.now) / 1000),
  });
}
