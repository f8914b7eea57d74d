import { ProblemError } from '../problem.ts';
import type { Transaction } from '../store/log/transaction.ts';
import { nextMonth } from '../store/records/month.ts';

/**
 * Counts the report as dropped and throws `error_quota_exhausted` if the team has used its reports of this month.
 * `errorQuota` is a number of reports per month; null is unlimited.
 */
export function dropIfOverQuota(transaction: Transaction, teamId: number, errorQuota: number | null): void {
  if (!isQuotaUsed(transaction, teamId, errorQuota)) return;
  transaction.countQuotaDrop(teamId);
  throw new ProblemError('error_quota_exhausted', 'The error quota of the plan is used up for this month.', {
    retryAfterSeconds: secondsToNextMonth(transaction.now),
  });
}

/** Returns whether the team has used its reports of this month. */
export function isQuotaUsed(transaction: Transaction, teamId: number, errorQuota: number | null): boolean {
  return errorQuota !== null && transaction.errorsUsed(teamId) >= errorQuota;
}

/**
 * Throws `ai_quota_exhausted` if the team has used its AI explanations of this month. `aiQuota` is a number of
 * explanations per month; null is unlimited.
 */
export function assertAiQuota(transaction: Transaction, teamId: number, aiQuota: number | null): void {
  if (aiQuota === null || transaction.aiUsed(teamId) < aiQuota) return;
  throw new ProblemError('ai_quota_exhausted', 'The AI quota of the plan is used up for this month.', {
    retryAfterSeconds: secondsToNextMonth(transaction.now),
  });
}

function secondsToNextMonth(now: number): number {
  return Math.ceil((nextMonth(now) - now) / 1000);
}
