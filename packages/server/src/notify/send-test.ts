import type { TestSent } from '@service/protocol';
import type { Caller } from '../accounts/caller.ts';
import { commitAs } from '../accounts/commit-as.ts';
import { projectGone } from '../projects/projects.ts';
import type { Services } from '../services.ts';
import { noteMessage, waysOf } from '../store/outbox.ts';
import type { ProjectRecord } from '../store/records.ts';
import { validationFailed } from '../validation.ts';
import { addressOf, RefusedTargetError } from './target.ts';

/** Puts a test message into the outbox. Throws `validation_failed` for a target that may not be reached. */
export async function sendTest(services: Services, caller: Caller, { id }: ProjectRecord): Promise<TestSent> {
  const { store, config } = services;
  const settings = store.model.tables.notifications.get(id);
  if (settings?.webhook.enabled && settings.webhook.url !== null) {
    await addressOf(settings.webhook.url, config.allowPrivateWebhooks).catch((error: unknown) => {
      if (!(error instanceof RefusedTargetError)) throw error;
      throw validationFailed([{ path: 'webhook.url', detail: error.message }]);
    });
  }
  const hasMail = config.smtpUrl !== null;
  if (settings?.email.enabled && !hasMail)
    throw validationFailed([{ path: 'email.enabled', detail: 'expected a mail server: SERVICE_SMTP_URL is not set' }]);
  return commitAs(services, caller, (draft) => {
    if (!draft.get('projects', id)) throw projectGone();
    const sent = waysOf(draft.get('notifications', id));
    for (const way of sent) noteMessage(draft, id, way, { kind: 'test', group_id: null });
    return { sent };
  });
}
