import { ProblemError } from '../problem.ts';
import type { Transaction } from '../store/log/transaction.ts';
import { nextMonth } from '../store/records/month.ts';

/**
 * Throws `error_quota_exhausted` if the team has used its reports of this month, and counts the report as dropped.
 * `errorQuota` is a number of reports per month; null is unlimited.
 */
export function assertErrorQuota(transaction: Transaction, teamId: number, errorQuota: number | null): void {
  if (!isQuotaUsed(transaction, teamId, errorQuota)) return;
  transaction.countQuotaDrop(teamId);
  throw new ProblemError('error_quota_exhausted', 'The error quota of the plan is used up for this month.', {
    retryAfterSeconds: Math.ceil((nextMonth(transaction.now) - transaction.now) / 1000),
  });
}

/** Returns whether the team has used its reports of this month. */
export function isQuotaUsed(transaction: Transaction, teamId: number, errorQuota: number | null): boolean {
  return errorQuota !== null && transaction.errorsUsed(teamId) >= errorQuota;
}
