import type { TestSent } from '@service/protocol';
import type { Caller } from '../accounts/caller.ts';
import { commitAs } from '../accounts/commit-as.ts';
import { projectGone } from '../projects/projects.ts';
import type { Services } from '../services.ts';
import { noteTest, waysOf } from '../store/outbox.ts';
import type { ProjectRecord } from '../store/records.ts';
import { validationFailed } from '../validation.ts';
import { addressOf, RefusedTargetError } from './target.ts';

/**
 * Puts a test message into the outbox. Throws `validation_failed` for a target that may not be reached, and
 * `too_many_requests` past the hourly limit of the project.
 */
export async function sendTest(services: Services, caller: Caller, { id }: ProjectRecord): Promise<TestSent> {
  const { store, config, mailer, resolveHost } = services;
  const settings = store.model.tables.notifications.get(id);
  if (settings?.webhook.enabled && settings.webhook.url !== null) {
    await addressOf(settings.webhook.url, config.allowPrivateWebhooks, resolveHost).catch((error: unknown) => {
      if (!(error instanceof RefusedTargetError)) throw error;
      throw validationFailed([{ path: 'webhook.url', detail: error.message }]);
    });
  }
  if (settings?.email.enabled && !mailer)
    throw validationFailed([{ path: 'email.enabled', detail: 'expected a mail server: SERVICE_SMTP_URL is not set' }]);
  return commitAs(services, caller, (draft) => {
    if (!draft.get('projects', id)) throw projectGone();
    const sent = waysOf(draft.get('notifications', id));
    noteTest(draft, id, sent);
    return { sent };
  });
}
