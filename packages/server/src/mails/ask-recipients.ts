import { limits, type Recipient } from '@service/protocol';
import type { Transaction } from '../store/log/transaction.ts';
import type { RecipientRecord } from '../store/records/records.ts';
import { queueConfirmationMail } from './queue-confirmation-mail.ts';
import { recipientId, statusByRows } from './recipient-status.ts';

/** The number of addresses that a team can have asked. */
const maxRecipientsPerTeam = 1_000;

/**
 * Asks addresses that were never asked before whether they want the notifications of a team, within the daily limits.
 * Those beyond the limits stay `pending` and can be asked later.
 */
export function askNewRecipients(transaction: Transaction, teamId: number, addresses: readonly string[]): void {
  for (const email of addresses) {
    if (transaction.get('recipients', recipientId(teamId, email))) continue;
    if (stagedStatus(transaction, teamId, email) === 'pending') askRecipient(transaction, teamId, email);
  }
}

/**
 * Asks an address. Returns its new record, or null if a daily limit is reached or the team has asked too many
 * addresses.
 */
export function askRecipient(transaction: Transaction, teamId: number, email: string): RecipientRecord | null {
  const id = recipientId(teamId, email);
  if (!transaction.get('recipients', id) && recipientCount(transaction, teamId) >= maxRecipientsPerTeam) return null;
  if (!queueConfirmationMail(transaction, { kind: 'recipient', team_id: teamId, to: email }, [teamLimit(teamId)]))
    return null;
  const record: RecipientRecord = {
    id,
    team_id: teamId,
    email,
    status: 'pending',
    asked_at: new Date(transaction.now).toISOString(),
  };
  transaction.put('recipients', record);
  return record;
}

function teamLimit(teamId: number) {
  return { key: `asked by team ${teamId}`, max: limits.confirmationsPerTeam };
}

function recipientCount(transaction: Transaction, teamId: number): number {
  return transaction.model.tables.recipients.of(teamId).length;
}

function stagedStatus(transaction: Transaction, teamId: number, email: string): Recipient['status'] {
  return statusByRows(teamId, {
    recipient: transaction.get('recipients', recipientId(teamId, email)),
    user: transaction.find('users', email.toLowerCase()),
  });
}
