import type { ChannelName } from '@service/protocol';
import type { NotificationRecord } from '../../store/records/records.ts';
import { emailChannel } from './email-channel.ts';
import type { NotificationChannel } from './notification-channel.ts';
import { webhookChannel } from './webhook-channel.ts';

/** All channels, in the order in which a notification is queued for them. */
export const notificationChannels: { readonly [Name in ChannelName]: NotificationChannel } = {
  email: emailChannel,
  webhook: webhookChannel,
};

/** Returns the channels that a project has enabled; none if it has never stored settings. */
export function enabledChannels(settings: NotificationRecord | undefined): ChannelName[] {
  if (!settings) return [];
  return Object.values(notificationChannels)
    .filter((channel) => channel.isEnabled(settings))
    .map(({ name }) => name);
}
