import type { Confirmation } from '@service/protocol';
import { issueConfirmationToken } from '../credentials/confirmation-token.ts';
import { startJobRunner, type JobRunner } from '../jobs/job-runner.ts';
import type { Mail } from '../outgoing/mailer.ts';
import { retryDelayMs } from '../outgoing/retry-delay.ts';
import type { Services } from '../services.ts';
import type { MailRecord } from '../store/records/mail-records.ts';
import { formatConfirmationMail } from './format-confirmation-mail.ts';
import { formatPaymentMail } from './format-payment-mail.ts';
import { recipientId } from '../store/records/recipient-id.ts';

const maxMailAttempts = 8;
const maxConcurrentMails = 4;

/**
 * Sends the queued mails about confirmations and payments, including those that an earlier process has queued. Each
 * team is a lane.
 */
export function startMailSender(services: Services): JobRunner {
  const { store, log, now, mailer } = services;
  /** The ids of the mails that were sent, but could not be removed from the queue yet. */
  const sent = new Set<number>();
  return startJobRunner(services, {
    table: store.model.tables.mails,
    maxConcurrent: maxConcurrentMails,
    dueAt: ({ due_at }) => due_at,
    laneOf: ({ team_id }) => team_id,
    graceMs: 1_000,
    run: deliver,
    onFailure({ team_id }, error) {
      log.warn({ err: error, team_id }, 'the queue of mails could not be written; the mail is processed again');
    },
  });

  /** Rejects if the storage fails. */
  async function deliver(mail: MailRecord): Promise<void> {
    try {
      if (!sent.has(mail.id)) await send(mail);
    } catch (error) {
      return recordFailure(mail, error);
    }
    // If the storage fails now, the mail must not be sent a second time.
    sent.add(mail.id);
    await store.commit((transaction) => {
      if (transaction.get('mails', mail.id)) transaction.remove('mails', mail.id);
    });
    sent.delete(mail.id);
  }

  async function send(mail: MailRecord): Promise<void> {
    const content = await contentOf(mail);
    if (!content) return;
    if (!mailer) throw new Error('No mail server is configured: SERVICE_SMTP_URL');
    const { permanent, temporary, reason } = await mailer.send([mail.to], content);
    if (permanent.length + temporary.length > 0) throw reason ?? new Error('The mail server rejected the address.');
  }

  /** Resolves with null if the payment or team was deleted, or the address was removed, confirmed or declined. */
  async function contentOf({ kind, team_id, to, payment_id = 0 }: MailRecord): Promise<Mail | null> {
    const { teams, payments } = store.model.tables;
    const { baseUrl, config } = services;
    if (kind === 'payment') {
      const payment = payments.get(payment_id);
      return payment ? formatPaymentMail(payment, baseUrl, config.supportEmail) : null;
    }
    const team = teams.get(team_id);
    if (!team || !isPending(kind, team_id, to)) return null;
    const token = await issueConfirmationToken(store.model, { kind, team_id, email: to }, now());
    return formatConfirmationMail({ kind, teamName: team.name, baseUrl, token });
  }

  function isPending(kind: Confirmation['kind'], team_id: number, to: string): boolean {
    const { users, recipients } = store.model.tables;
    if (kind === 'recipient') return recipients.get(recipientId(team_id, to))?.status === 'pending';
    const user = users.find(to);
    return user?.team_id === team_id && user.email_verified_at === undefined;
  }

  async function recordFailure({ id, team_id, kind }: MailRecord, error: unknown): Promise<void> {
    const isDropped = await store.commit((transaction) => {
      const current = transaction.get('mails', id);
      if (!current) return true;
      const failed = current.failed + 1;
      if (failed >= maxMailAttempts) transaction.remove('mails', id);
      else transaction.put('mails', { ...current, failed, due_at: transaction.now + retryDelayMs(current.failed) });
      return failed >= maxMailAttempts;
    });
    log.warn({ err: error, team_id, kind }, `a mail was not delivered, and is ${isDropped ? 'dropped' : 'retried'}`);
  }
}
