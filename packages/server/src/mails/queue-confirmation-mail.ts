import { limits } from '@service/protocol';
import type { Transaction } from '../store/log/transaction.ts';
import type { MailRecord } from '../store/records/mail-records.ts';
import { takeMailQuota, type DailyMailLimit } from './daily-mail-limits.ts';

/**
 * Queues a mail with a link that confirms its address. An address gets only a few of these mails a day, from all teams
 * together. Until it has confirmed, it gets no other mails, except from the operator's team. Returns false if a daily
 * limit is reached.
 */
export function queueConfirmationMail(
  transaction: Transaction,
  mail: Pick<MailRecord, 'kind' | 'team_id' | 'to'>,
  otherLimits: readonly DailyMailLimit[] = [],
): boolean {
  const addressLimit = { key: `asked ${mail.to.toLowerCase()}`, max: limits.confirmationsPerAddress };
  if (!takeMailQuota(transaction, [addressLimit, ...otherLimits])) return false;
  const { now } = transaction;
  transaction.put('mails', { id: transaction.nextId('mails'), ...mail, at: now, failed: 0, due_at: now });
  return true;
}
