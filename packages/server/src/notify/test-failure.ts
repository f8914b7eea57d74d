import { testFailures, type NotificationChannel, type TestFailure, type TestFailureReason } from '@service/protocol';
import { WebhookStatusError } from './post-webhook.ts';
import { RefusedTargetError } from '../outgoing/webhook-target.ts';
import { NotConfirmedError } from '../outgoing/test-outcomes.ts';

/** Returns the reason that a caller may read. What the error itself says stays in the log. */
export function testFailure(channel: NotificationChannel, error: unknown): TestFailure {
  const reason = channel === 'email' ? mailReason(error) : webhookReason(error);
  const status = error instanceof WebhookStatusError ? error.status : 0;
  return { channel, reason, detail: testFailures[reason].replace('{status}', `${status}`) };
}

/**
 * Returns the one reason for all failures of a webhook. Where private networks are allowed, anything more exact, or
 * sooner, would let a tenant find out which ports of the operator's network are open.
 */
export function vagueWebhookFailure(): TestFailure {
  return { channel: 'webhook', reason: 'webhook_failed', detail: testFailures.webhook_failed };
}

function webhookReason(error: unknown): TestFailureReason {
  if (error instanceof NotConfirmedError) return 'not_confirmed';
  if (error instanceof RefusedTargetError) return error.reason;
  if (error instanceof WebhookStatusError) return 'webhook_rejected';
  return /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/.test(codeOf(error)) ? 'webhook_certificate' : 'webhook_unreachable';
}

/** The codes are those of nodemailer. */
function mailReason(error: unknown): TestFailureReason {
  if (error instanceof NotConfirmedError) return 'not_confirmed';
  const code = codeOf(error);
  if (code === 'EAUTH') return 'mail_server_sign_in';
  if (code === 'EENVELOPE') return 'recipients_refused';
  return /^E(CONN\w*|TIMEDOUT|SOCKET|DNS|NOTFOUND|TLS|REQUIRETLS)$/.test(code)
    ? 'mail_server_unreachable'
    : 'mail_failed';
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
