import { defaultNotifications, type ChannelName, type Notifications } from '@service/protocol';
import { emailChannel } from './email-channel.ts';
import type { NotificationChannel } from './notification-channel.ts';
import { webhookChannel } from './webhook-channel.ts';

/** All channels, in the order in which a notification is queued for them. */
export const notificationChannels: { readonly [Name in ChannelName]: NotificationChannel<Name> } = {
  email: emailChannel,
  webhook: webhookChannel,
};

export const channelNames = Object.keys(notificationChannels) as readonly ChannelName[];

/** Settings that may lack some channels: those of an older server or client do. */
export type PartialSettings = { readonly [Name in ChannelName]?: Notifications[Name] | undefined };

interface ConfiguredChannel<Name extends ChannelName> {
  channel: NotificationChannel<Name>;
  settings: Notifications[Name];
}

/** Returns a channel with the settings that a project has stored for it, or else with the defaults. */
export function configuredChannel<Name extends ChannelName>(
  name: Name,
  stored: PartialSettings | undefined,
): ConfiguredChannel<Name> {
  return { channel: notificationChannels[name], settings: stored?.[name] ?? defaultNotifications[name] };
}

/** Returns the channels that a project has enabled. */
export function enabledChannels(stored: PartialSettings | undefined): ConfiguredChannel<ChannelName>[] {
  return channelNames
    .map((name) => configuredChannel(name, stored))
    .filter(({ channel, settings }) => channel.isEnabled(settings));
}
