import type { NotificationChannel } from './notification-channel.ts';
import { formatChatMessage } from './format-chat-message.ts';
import { postWebhook, webhookFailureReason } from './post-webhook.ts';
import { findTargetObstacle, maskUrl, targetDestination } from './target-url.ts';

/** Posts to Slack, Mattermost, or any other webhook that accepts their format. */
export const webhookChannel: NotificationChannel<'webhook'> = {
  name: 'webhook',
  undisclosedReason: 'webhook_failed',
  isEnabled: ({ enabled, url }) => enabled && url !== null,
  mask: (settings) => ({ ...settings, url: maskUrl(settings.url) }),
  destinationOf: targetDestination,
  findObstacle: (services, { url }) => findTargetObstacle(services, url, 'webhook.url'),
  async send(services, { url, format }, { content, stop }) {
    if (url !== null) await postWebhook(services, { url, body: formatChatMessage(content, format) }, stop);
    return null;
  },
  failureReason: webhookFailureReason,
};
