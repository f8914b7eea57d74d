import type { Page, PageQuery, Recipient } from '@service/protocol';
import type { Caller } from '../accounts/caller.ts';
import { commitAsCaller } from '../accounts/commit-as-caller.ts';
import { secondsUntilTomorrow } from '../mails/daily-mail-limits.ts';
import { distinctAddresses, isSameAddress } from '../recipients/distinct-addresses.ts';
import { recipientStatus } from '../recipients/recipient-status.ts';
import { askRecipient, hasRoomForRecipient, maxRecipientsPerTeam } from '../recipients/ask-recipients.ts';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import { recipientId } from '../store/records/recipient-id.ts';
import type { ProjectRecord } from '../store/records/project-records.ts';
import { paginate } from '../validation/paginate.ts';
import { validationFailed } from '../validation/validation.ts';
import { configuredChannel } from './channels/notification-channels.ts';

/** Returns the recipients of a project's e-mails, in the order of its settings. */
export function listRecipients({ store }: Services, { id, team_id }: ProjectRecord, query: PageQuery): Page<Recipient> {
  const { settings } = configuredChannel('email', store.model.tables.notifications.get(id));
  return paginate(distinctAddresses(settings.to), query, (email) => toRecipient({ store }, team_id, email));
}

/**
 * Asks a recipient to confirm the address again. Rejects with `validation_failed` if it is no recipient of the project.
 * Rejects with `conflict` if the server has no mail server, the recipient has answered or the team has asked too many
 * addresses, and with `too_many_requests` if a daily limit of confirmation mails is reached.
 */
export async function askRecipientAgain(
  services: Services,
  caller: Caller,
  { id, team_id }: ProjectRecord,
  address: string,
): Promise<Recipient> {
  const asked = await commitAsCaller(services, caller, (transaction) => {
    const { settings } = configuredChannel('email', transaction.get('notifications', id));
    const email = settings.to.find((listed) => isSameAddress(listed, address));
    if (email === undefined) throw validationFailed([{ path: 'email', detail: 'expected a recipient of the project' }]);
    if (!services.mailer)
      throw new ProblemError('conflict', 'This server has no mail server: its operator has to set SERVICE_SMTP_URL.');
    const status = recipientStatus(transaction.model, team_id, email);
    if (status !== 'pending') throw new ProblemError('conflict', `The recipient has ${status} already.`);
    if (!hasRoomForRecipient(transaction, team_id, email))
      throw new ProblemError(
        'conflict',
        `A team can ask ${maxRecipientsPerTeam} addresses. Use one that was asked before.`,
      );
    if (askRecipient(transaction, team_id, email)) return email;
    throw new ProblemError(
      'too_many_requests',
      'The limit of confirmation mails for today is reached. Try again tomorrow.',
      {
        retryAfterSeconds: secondsUntilTomorrow(transaction.now),
      },
    );
  });
  return toRecipient(services, team_id, asked);
}

function toRecipient({ store }: Pick<Services, 'store'>, teamId: number, email: string): Recipient {
  const asked = store.model.tables.recipients.get(recipientId(teamId, email));
  return { email, status: recipientStatus(store.model, teamId, email), asked_at: asked?.asked_at ?? null };
}
