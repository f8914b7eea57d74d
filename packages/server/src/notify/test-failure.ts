import { testFailures, type ChannelName, type TestFailure } from '@service/protocol';
import { NotConfirmedError } from '../outgoing/test-outcomes.ts';
import { notificationChannels } from './channels/notification-channels.ts';
import { WebhookStatusError } from './channels/post-webhook.ts';

/** Returns why a test message failed, as the caller may read it. What the error itself says stays in the log. */
export function testFailure(channel: ChannelName, error: unknown): TestFailure {
  const reason =
    error instanceof NotConfirmedError ? 'not_confirmed' : notificationChannels[channel].failureReason(error);
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
