import type { Notifications, NotificationsInput } from '@service/protocol';
import { commitAsCaller } from '../accounts/commit-as-caller.ts';
import type { Caller } from '../accounts/caller.ts';
import { projectNotFound } from '../projects/projects.ts';
import { noMailServer } from './channels/email-channel.ts';
import type { Services } from '../services.ts';
import type { NotificationRecord, ProjectRecord } from '../store/records/records.ts';

const disabled: Notifications = {
  email: { enabled: false, to: [] },
  webhook: { enabled: false, url: null, format: 'slack' },
};

export function readNotifications({ store }: Services, { role }: Caller, { id }: ProjectRecord): Notifications {
  return toNotifications(store.model.tables.notifications.get(id), role === 'viewer');
}

export async function setNotifications(
  services: Services,
  caller: Caller,
  { id }: ProjectRecord,
  { email, webhook }: NotificationsInput,
): Promise<Notifications> {
  const record = await commitAsCaller(services, caller, (transaction) => {
    if (!transaction.get('projects', id)) throw projectNotFound();
    const after: NotificationRecord = { ...transaction.get('notifications', id), id, email, webhook };
    transaction.put('notifications', after);
    return after;
  });
  if (email.enabled) warnOfMail(services, id);
  return toNotifications(record, false);
}

/** Warns the operator, who can configure a mail server. A test message reports the problem to the project's members. */
export function warnOfMail({ mailer, log }: Pick<Services, 'mailer' | 'log'>, projectId: number): void {
  if (!mailer)
    log.warn(
      { project_id: projectId },
      `${noMailServer}. E-mails of this project are retried for a while, then dropped`,
    );
}

function toNotifications(record: NotificationRecord | undefined, isMasked: boolean): Notifications {
  const { email, webhook } = record ?? disabled;
  return { email, webhook: isMasked ? { ...webhook, url: maskUrl(webhook.url) } : webhook };
}

/** Hides the path, which is the secret of a webhook URL. */
function maskUrl(url: string | null): string | null {
  return url === null ? null : `${new URL(url).origin}/…`;
}
