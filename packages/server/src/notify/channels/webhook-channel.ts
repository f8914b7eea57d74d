import { testFailures } from '@service/protocol';
import { isLookupQueueTimeout } from '../../outgoing/name-lookup.ts';
import { RefusedTargetError, resolveWebhookAddress } from '../../outgoing/ssrf-guard.ts';
import { ProblemError } from '../../problem.ts';
import type { NotificationRecord } from '../../store/records/records.ts';
import { validationFailed } from '../../validation/validation.ts';
import { errorCode } from './error-code.ts';
import type { Destination, NotificationChannel } from './notification-channel.ts';
import { formatChatMessage } from './notification-content.ts';
import { postWebhook, WebhookStatusError } from './post-webhook.ts';

const lookupTimeoutMs = 10_000;

/** Posts to Slack, Mattermost, or any other webhook that accepts their format. */
export const webhookChannel: NotificationChannel = {
  name: 'webhook',
  isEnabled: ({ webhook }) => webhook.enabled && webhook.url !== null,
  destinationOf,
  async assertDeliverable({ config, resolveHost }, { webhook: { url } }) {
    if (url === null) return;
    const timeout = AbortSignal.timeout(lookupTimeoutMs);
    await resolveWebhookAddress(url, config.allowPrivateWebhooks, resolveHost, timeout).catch((error: unknown) => {
      if (isLookupQueueTimeout(error))
        throw new ProblemError('overloaded', 'Too many host names are being resolved. Try again in a moment.', {
          retryAfterSeconds: 5,
        });
      if (!(error instanceof RefusedTargetError)) throw error;
      throw validationFailed([{ path: 'webhook.url', detail: testFailures[error.reason] }]);
    });
  },
  async send(services, { settings, content, stop }) {
    const { enabled, url, format } = settings.webhook;
    if (enabled && url !== null) await postWebhook(services, url, formatChatMessage(content, format), stop);
    return null;
  },
  failureReason(error) {
    if (error instanceof RefusedTargetError) return error.reason;
    if (error instanceof WebhookStatusError) return 'webhook_rejected';
    return /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/.test(errorCode(error))
      ? 'webhook_certificate'
      : 'webhook_unreachable';
  },
};

/**
 * Caches destinations: the queue reads them often, and parsing a URL each time would cost more than the read itself.
 */
const destinations = new WeakMap<NotificationRecord, Destination>();

function destinationOf(settings: NotificationRecord): Destination | null {
  const { url } = settings.webhook;
  if (url === null) return null;
  const destination = destinations.get(settings) ?? { key: new URL(url).origin, isTrusted: false };
  destinations.set(settings, destination);
  return destination;
}
