import type { Transaction } from '../store/log/transaction.ts';
import { dayMs } from '../time/units.ts';

/** Rows of earlier days that are removed when a row is added. */
const maxRemoved = 100;

/** A limit of mails per UTC day. `key` names the limit and what it limits. */
export interface DailyMailLimit {
  key: string;
  max: number;
}

/**
 * Counts mails towards all limits and returns true, or counts nothing and returns false if one has no room for them.
 */
export function takeMailQuota(transaction: Transaction, dailyLimits: readonly DailyMailLimit[], count = 1): boolean {
  const counted = dailyLimits.map(({ key, max }) => ({ key, max, next: mailsOfToday(transaction, key) + count }));
  if (counted.some(({ next, max }) => next > max)) return false;
  const day = dayOf(transaction.now);
  for (const { key, next } of counted) {
    if (!transaction.get('mail_days', key)) removeEarlierDays(transaction, day);
    transaction.put('mail_days', { id: key, day, count: next });
  }
  return true;
}

/** Returns the seconds until the counts of today end. */
export function secondsUntilTomorrow(now: number): number {
  return Math.ceil((dayMs - (now % dayMs)) / 1_000);
}

function mailsOfToday(transaction: Transaction, key: string): number {
  const row = transaction.get('mail_days', key);
  return row?.day === dayOf(transaction.now) ? row.count : 0;
}

function removeEarlierDays(transaction: Transaction, day: number): void {
  let removed = 0;
  for (const row of transaction.rows('mail_days')) {
    if (row.day === day) continue;
    transaction.remove('mail_days', row.id);
    if (++removed === maxRemoved) return;
  }
}

function dayOf(at: number): number {
  return Math.floor(at / dayMs);
}
