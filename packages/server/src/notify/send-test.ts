import type { TestSent } from '@service/protocol';
import type { Caller } from '../accounts/caller.ts';
import { commitAs } from '../accounts/commit-as.ts';
import { projectGone } from '../projects/projects.ts';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import { countTest, noteTest, uncountTest, waysOf } from '../store/outbox.ts';
import type { ProjectRecord } from '../store/records.ts';
import { validationFailed } from '../validation.ts';
import { hadNoTurn } from './lookups.ts';
import { addressOf, RefusedTargetError } from './target.ts';

const lookupMs = 10_000;

/**
 * Puts a test message into the outbox. Throws `validation_failed` for a target that may not be reached, and
 * `too_many_requests` past the hourly limit of the project.
 */
export async function sendTest(services: Services, caller: Caller, { id }: ProjectRecord): Promise<TestSent> {
  const { store, mailer } = services;
  // Counted before a name is looked up: however many come at once, no more names are than messages may go out.
  const ways = await commitAs(services, caller, (draft) => {
    if (!draft.get('projects', id)) throw projectGone();
    const wanted = waysOf(draft.get('notifications', id));
    countTest(draft, id, wanted);
    return wanted;
  });
  try {
    if (ways.includes('webhook')) await assertReachable(services, id);
    if (ways.includes('email') && !mailer)
      throw validationFailed([
        { path: 'email.enabled', detail: 'expected a mail server: SERVICE_SMTP_URL is not set' },
      ]);
  } catch (error) {
    await store.commit((draft) => {
      if (draft.get('projects', id)) uncountTest(draft, id, ways);
    });
    throw error;
  }
  return commitAs(services, caller, (draft) => {
    if (!draft.get('projects', id)) throw projectGone();
    noteTest(draft, id, ways);
    return { sent: ways };
  });
}

async function assertReachable({ store, config, resolveHost }: Services, id: number): Promise<void> {
  const url = store.model.tables.notifications.get(id)?.webhook.url ?? null;
  if (url === null) return;
  const stop = AbortSignal.timeout(lookupMs);
  await addressOf(url, config.allowPrivateWebhooks, resolveHost, stop).catch((error: unknown) => {
    if (hadNoTurn(error))
      throw new ProblemError('overloaded', 'Too many hosts are looked up at the moment. Try again in a moment.', {
        retryAfterSeconds: 5,
      });
    if (!(error instanceof RefusedTargetError)) throw error;
    throw validationFailed([{ path: 'webhook.url', detail: error.message }]);
  });
}
