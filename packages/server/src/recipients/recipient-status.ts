import type { Recipient } from '@service/protocol';
import { operatorTeamId } from '../teams/operator-team.ts';
import type { Model } from '../store/model/model.ts';
import { recipientId } from '../store/records/recipient-id.ts';
import type { UserRecord } from '../store/records/account-records.ts';
import type { RecipientRecord } from '../store/records/notification-records.ts';

/** The rows that decide whether an address gets the notifications of a team. */
interface RecipientRows {
  recipient: RecipientRecord | undefined;
  user: UserRecord | undefined;
}

/** Returns the status of a recipient. */
export function recipientStatus({ tables }: Model, teamId: number, email: string): Recipient['status'] {
  return statusByRows(teamId, {
    recipient: tables.recipients.get(recipientId(teamId, email)),
    user: tables.users.find(email.toLowerCase()),
  });
}

/**
 * The operator's team needs no confirmations: its owners run the mail server. A member of the team whose address is
 * verified has confirmed it already.
 */
export function statusByRows(teamId: number, { recipient, user }: RecipientRows): Recipient['status'] {
  if (recipient && recipient.status !== 'pending') return recipient.status;
  if (teamId === operatorTeamId) return 'confirmed';
  return user?.team_id === teamId && user.email_verified_at !== undefined ? 'confirmed' : 'pending';
}
