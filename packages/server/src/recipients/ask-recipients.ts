import { limits, type Recipient } from '@service/protocol';
import type { Transaction } from '../store/log/transaction.ts';
import type { RecipientRecord } from '../store/records/notification-records.ts';
import { queueConfirmationMail } from '../mails/queue-confirmation-mail.ts';
import { recipientId } from '../store/records/recipient-id.ts';
import { statusByRows } from './recipient-status.ts';

/** The number of addresses that a team can have asked. */
export const maxRecipientsPerTeam = 1_000;

/**
 * Asks pending addresses that were never asked before whether they want the notifications of a team, within the limits
 * of the team and of the day. Those beyond the limits stay `pending` and can be asked later.
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
  if (!hasRoomForRecipient(transaction, teamId, email)) return null;
  if (!queueConfirmationMail(transaction, { kind: 'recipient', team_id: teamId, to: email }, [teamLimit(teamId)]))
    return null;
  const record: RecipientRecord = {
    id: recipientId(teamId, email),
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

/** Returns whether a team may ask an address: it has asked this one before, or fewer addresses than its limit. */
export function hasRoomForRecipient(transaction: Transaction, teamId: number, email: string): boolean {
  if (transaction.get('recipients', recipientId(teamId, email))) return true;
  return transaction.model.tables.recipients.of(teamId).length < maxRecipientsPerTeam;
}

function stagedStatus(transaction: Transaction, teamId: number, email: string): Recipient['status'] {
  return statusByRows(teamId, {
    recipient: transaction.get('recipients', recipientId(teamId, email)),
    user: transaction.find('users', email.toLowerCase()),
  });
}
