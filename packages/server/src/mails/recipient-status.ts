import { limits, type Recipient } from '@service/protocol';
import { operatorTeamId } from '../credentials/operator-team.ts';
import type { Transaction } from '../store/log/transaction.ts';
import type { Model } from '../store/model/model.ts';
import type { RecipientRecord, UserRecord } from '../store/records/records.ts';
import { queueConfirmationMail } from './queue-confirmation-mail.ts';

/** Addresses that a team can have asked. Above, no further ones are asked. */
const maxRecipientsPerTeam = 1_000;

/** The rows that decide whether an address gets the notifications of a team. */
interface RecipientRows {
  recipient: RecipientRecord | undefined;
  user: UserRecord | undefined;
}

/** Returns the id of the record of a recipient. Addresses that differ only in case are the same. */
export function recipientId(teamId: number, email: string): string {
  return `${teamId} ${email.toLowerCase()}`;
}

/** Returns the status of a recipient. */
export function recipientStatus({ tables }: Model, teamId: number, email: string): Recipient['status'] {
  return statusByRows(teamId, {
    recipient: tables.recipients.get(recipientId(teamId, email)),
    user: tables.users.find(email.toLowerCase()),
  });
}

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

/** Asks an address. Returns its new record, or null if a daily limit is reached. */
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

/**
 * The operator's team needs no confirmations: its owners run the mail server. A member of the team whose address is
 * verified has confirmed it already.
 */
function statusByRows(teamId: number, { recipient, user }: RecipientRows): Recipient['status'] {
  if (recipient && recipient.status !== 'pending') return recipient.status;
  if (teamId === operatorTeamId) return 'confirmed';
  return user?.team_id === teamId && user.email_verified_at !== undefined ? 'confirmed' : 'pending';
}
