import type { Notifications, NotificationsInput } from '@service/protocol';
import { commitAsCaller } from '../accounts/commit-as-caller.ts';
import type { Caller } from '../accounts/caller.ts';
import { projectGone } from '../projects/projects.ts';
import type { Services } from '../services.ts';
import type { NotificationRecord, ProjectRecord } from '../store/records/records.ts';

const nobody: Notifications = {
  email: { enabled: false, to: [] },
  webhook: { enabled: false, url: null, format: 'slack' },
};

export function readNotifications({ store }: Services, { role }: Caller, { id }: ProjectRecord): Notifications {
  return shown(store.model.tables.notifications.get(id), role === 'viewer');
}

export async function setNotifications(
  services: Services,
  caller: Caller,
  { id }: ProjectRecord,
  { email, webhook }: NotificationsInput,
): Promise<Notifications> {
  const record = await commitAsCaller(services, caller, (transaction) => {
    if (!transaction.get('projects', id)) throw projectGone();
    const after: NotificationRecord = { ...transaction.get('notifications', id), id, email, webhook };
    transaction.put('notifications', after);
    return after;
  });
  if (email.enabled) warnOfMail(services, id);
  return shown(record, false);
}

export const noMailServer = 'No mail server is set: SERVICE_SMTP_URL';

/** Who set it is told by a test message; the operator, who can help it, by the log. */
export function warnOfMail({ mailer, log }: Pick<Services, 'mailer' | 'log'>, projectId: number): void {
  if (!mailer)
    log.warn(
      { project_id: projectId },
      `${noMailServer}. This project wants e-mails, which wait, and are given up after a while`,
    );
}

function shown(record: NotificationRecord | undefined, isMasked: boolean): Notifications {
  const { email, webhook } = record ?? nobody;
  return { email, webhook: isMasked ? { ...webhook, url: masked(webhook.url) } : webhook };
}

/** The path of such a URL is its secret. */
function masked(url: string | null): string | null {
  return url === null ? null : `${new URL(url).origin}/…`;
}
