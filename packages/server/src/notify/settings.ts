import type { Notifications, NotificationsInput } from '@service/protocol';
import { commitAsCaller } from '../accounts/commit-as-caller.ts';
import type { Caller } from '../accounts/caller.ts';
import { projectNotFound } from '../projects/projects.ts';
import { noMailServer } from './channels/email-channel.ts';
import { channelNames, configuredChannel, type PartialSettings } from './channels/notification-channels.ts';
import { askNewRecipients } from '../recipients/ask-recipients.ts';
import { distinctAddresses } from '../recipients/distinct-addresses.ts';
import type { Services } from '../services.ts';
import type { ProjectRecord } from '../store/records/project-records.ts';
import type { NotificationSettingsRecord } from '../store/records/notification-records.ts';

export function readNotifications({ store }: Services, { role }: Caller, { id }: ProjectRecord): Notifications {
  return toNotifications(store.model.tables.notifications.get(id), role === 'viewer');
}

export async function setNotifications(
  services: Services,
  caller: Caller,
  { id }: ProjectRecord,
  settings: NotificationsInput,
): Promise<Notifications> {
  const record = await commitAsCaller(services, caller, (transaction) => {
    if (!transaction.get('projects', id)) throw projectNotFound();
    // Channels that the request does not name keep their settings.
    const after: NotificationSettingsRecord = {
      ...toNotifications({ ...transaction.get('notifications', id), ...settings }, false),
      id,
    };
    after.email = { ...after.email, to: distinctAddresses(after.email.to) };
    transaction.put('notifications', after);
    if (services.mailer && after.email.enabled) askNewRecipients(transaction, caller.teamId, after.email.to);
    return after;
  });
  if (settings.email.enabled) warnOfMail(services, id);
  return toNotifications(record, false);
}

/**
 * Warns the operator if the server has no mail server. A test message reports the problem to the project's members.
 */
export function warnOfMail({ mailer, log }: Pick<Services, 'mailer' | 'log'>, projectId: number): void {
  if (!mailer)
    log.warn(
      { project_id: projectId },
      `${noMailServer}. E-mails of this project are retried for a while, then dropped`,
    );
}

function toNotifications(stored: PartialSettings | undefined, isMasked: boolean): Notifications {
  const ofChannels = channelNames.map((name) => {
    const { channel, settings } = configuredChannel(name, stored);
    return [name, isMasked ? channel.mask(settings) : settings];
  });
  return Object.fromEntries(ofChannels) as Notifications;
}
