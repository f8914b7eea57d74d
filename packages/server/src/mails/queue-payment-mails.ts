import { operatorTeamId } from '../teams/operator-team.ts';
import type { Transaction } from '../store/log/transaction.ts';
import type { PaymentRecord } from '../store/records/billing-records.ts';

/**
 * Queues a mail about a refund or a dispute to the owners of the team whose addresses are verified. Addresses of the
 * operator's team need not be verified.
 */
export function queuePaymentMails(transaction: Transaction, { id, team_id }: PaymentRecord): void {
  const { now } = transaction;
  for (const { team_id: ofTeam, role, email, email_verified_at } of transaction.rows('users')) {
    if (ofTeam !== team_id || role !== 'owner') continue;
    if (team_id !== operatorTeamId && email_verified_at === undefined) continue;
    transaction.put('mails', {
      id: transaction.nextId('mails'),
      team_id,
      kind: 'payment',
      to: email,
      payment_id: id,
      at: now,
      failed: 0,
      due_at: now,
    });
  }
}
