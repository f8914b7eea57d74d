import { testFailures, type ChannelName, type TestFailure } from '@service/protocol';
import { NotConfirmedError } from '../jobs/test-message-outcomes.ts';
import { notificationChannels } from './channels/notification-channels.ts';
import { WebhookStatusError } from './channels/post-webhook.ts';

/** Returns why a test message failed, in a text that the caller may read. The error's own message is only logged. */
export function testMessageFailure(channel: ChannelName, error: unknown): TestFailure {
  const reason =
    error instanceof NotConfirmedError ? 'not_confirmed' : notificationChannels[channel].failureReason(error);
  const status = error instanceof WebhookStatusError ? error.status : 0;
  return { channel, reason, detail: testFailures[reason].replace('{status}', `${status}`) };
}

/**
 * Returns the single failure that replaces all others for a caller who must not learn why a delivery failed. A more
 * exact or an earlier one would reveal to a tenant which ports of the operator's network are open.
 */
export function undisclosedFailure(channel: ChannelName): TestFailure {
  const reason = notificationChannels[channel].undisclosedReason;
  return { channel, reason, detail: testFailures[reason] };
}
