import type { Me } from '@service/protocol';
import { queueConfirmationMail } from '../mails/queue-confirmation-mail.ts';
import { secondsUntilTomorrow } from '../mails/daily-mail-limits.ts';
import { ProblemError } from '../problem.ts';
import { invalidToken } from '../credentials/access-token.ts';
import type { Services } from '../services.ts';
import type { UserRecord } from '../store/records/account-records.ts';
import type { Caller } from './caller.ts';
import { commitAsCaller } from './commit-as-caller.ts';

/**
 * Queues a mail with a link that verifies the caller's address. Rejects with `conflict` if the server sends no mails or
 * the address is verified already, and with `too_many_requests` at the daily maximum of the address.
 */
export async function sendVerification(services: Services, caller: Caller): Promise<void> {
  await commitAsCaller(services, caller, (transaction) => {
    if (!services.mailer)
      throw new ProblemError('conflict', 'This server has no mail server: its operator has to set SERVICE_SMTP_URL.');
    const user = transaction.get('users', caller.userId);
    if (!user) throw invalidToken();
    if (user.email_verified_at !== undefined) throw new ProblemError('conflict', 'Your address is verified already.');
    if (queueConfirmationMail(transaction, { kind: 'account', team_id: user.team_id, to: user.email })) return;
    throw new ProblemError(
      'too_many_requests',
      'This address got the maximum number of confirmation mails today. Try again tomorrow.',
      {
        retryAfterSeconds: secondsUntilTomorrow(transaction.now),
      },
    );
  });
}

/** Returns the status of a user's address, or undefined if the server sends no mail and can verify no address. */
export function emailStatus({ mailer }: Pick<Services, 'mailer'>, user: UserRecord): Me['email_status'] {
  if (!mailer) return undefined;
  if (user.email_verified_at !== undefined) return 'verified';
  return user.must_verify ? 'required' : 'unverified';
}
