import { operatorTeamId } from '../../teams/operator-team.ts';
import { takeMailQuota } from '../../mails/daily-mail-limits.ts';
import { recipientStatus } from '../../recipients/recipient-status.ts';
import { askNewRecipients } from '../../recipients/ask-recipients.ts';
import { distinctAddresses, isSameAddress } from '../../recipients/distinct-addresses.ts';
import type { Services } from '../../services.ts';
import type { QueuedNotificationRecord } from '../../store/records/notification-records.ts';
import { errorCode } from '../../outgoing/error-code.ts';
import type { Destination, NotificationChannel } from './notification-channel.ts';
import { formatNotificationMail } from './format-notification-mail.ts';

export const noMailServer = 'No mail server is configured: SERVICE_SMTP_URL';

/** No recipient of a test message has confirmed the address. */
class NoConfirmedRecipientError extends Error {
  override readonly name = 'NoConfirmedRecipientError';

  constructor() {
    super('No recipient has confirmed the address.');
  }
}

/** The team has sent as many mails today as it may. */
class MailLimitError extends Error {
  override readonly name = 'MailLimitError';

  constructor() {
    super('The team has sent as many mails today as it may.');
  }
}

/** All mail goes to the one server that the operator has configured. */
const mailServer: Destination = { key: 'email', isTrusted: true };

export const emailChannel: NotificationChannel<'email'> = {
  name: 'email',
  undisclosedReason: 'mail_failed',
  isEnabled: ({ enabled, to }) => enabled && to.length > 0,
  mask: (settings) => settings,
  destinationOf: () => mailServer,
  findObstacle: async ({ mailer }) => (mailer ? null : { path: 'email.enabled', reason: 'no_mail_server' }),
  async send(services, settings, { message, content, teamId }) {
    const { mailer, store } = services;
    // Older servers stored addresses that differ only in case.
    const listed = distinctAddresses(settings.to).filter(
      (address) => message.to?.some((pending) => isSameAddress(pending, address)) ?? true,
    );
    const to = listed.filter((email) => recipientStatus(store.model, teamId, email) === 'confirmed');
    // Older servers stored recipients that were never asked.
    if (mailer && to.length < listed.length)
      await store.commit((transaction) => askNewRecipients(transaction, teamId, listed));
    if (to.length === 0 && message.kind === 'test') throw new NoConfirmedRecipientError();
    if (to.length === 0) return null;
    // Fails like any other attempt, so the message is retried: the operator may configure a mail server later.
    if (!mailer) throw new Error(`${noMailServer}.`);
    if (message.failed === 0 && !(await countMails(services, teamId, message, to.length))) {
      if (message.kind === 'test') throw new MailLimitError();
      return null;
    }
    return mailer.send(to, formatNotificationMail(content));
  },
  failureReason(error) {
    if (error instanceof NoConfirmedRecipientError) return 'recipients_not_confirmed';
    if (error instanceof MailLimitError) return 'mail_limit_reached';
    // The codes are those of nodemailer.
    const code = errorCode(error);
    if (code === 'EAUTH') return 'mail_server_sign_in';
    if (code === 'EENVELOPE') return 'recipients_refused';
    return /^E(CONN\w*|TIMEDOUT|SOCKET|DNS|NOTFOUND|TLS|REQUIRETLS)$/.test(code)
      ? 'mail_server_unreachable'
      : 'mail_failed';
  },
};

/**
 * Counts mails towards the daily limit of a team, and resolves with true. The operator's team has no limit. Resolves
 * with false beyond the limit: then the message is dropped, and the next one of the project says how many were dropped.
 */
async function countMails(
  { store, config, log }: Services,
  teamId: number,
  { project_id }: QueuedNotificationRecord,
  count: number,
): Promise<boolean> {
  if (teamId === operatorTeamId) return true;
  const isCounted = await store.commit((transaction) => {
    if (takeMailQuota(transaction, [{ key: `sent by team ${teamId}`, max: config.mailsPerDay }], count)) return true;
    const hour = transaction.get('message_hours', project_id);
    if (hour) transaction.put('message_hours', { ...hour, left_out: hour.left_out + 1 });
    return false;
  });
  if (!isCounted)
    log.info({ team_id: teamId, project_id }, 'an e-mail was dropped: the daily limit of its team is reached');
  return isCounted;
}
