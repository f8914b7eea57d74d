import { setTimeout as sleep } from 'node:timers/promises';
import { testFailures, type NotificationChannel, type TestFailure, type TestSent } from '@service/protocol';
import type { Caller } from '../accounts/caller.ts';
import { operatorTeamId } from '../credentials/first-owner.ts';
import { commitAsCaller } from '../accounts/commit-as-caller.ts';
import { projectGone } from '../projects/projects.ts';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import { countTest, noteTest, uncountTest, waysOf } from './outbox.ts';
import type { ProjectRecord } from '../store/records/records.ts';
import { validationFailed } from '../validation/validation.ts';
import { hadNoTurn } from '../outgoing/name-lookup.ts';
import { addressOf, RefusedTargetError } from '../outgoing/webhook-target.ts';
import { testFailure, vagueWebhookFailure } from './test-failure.ts';
import type { TestOutcome } from '../outgoing/test-outcomes.ts';

const lookupMs = 10_000;
/** Longer than a webhook has. The sentence of `not_confirmed` quotes it. */
const outcomeMs = 12_000;

/**
 * Puts a test message into the outbox and waits for what becomes of it. Throws `validation_failed` for a target that may
 * not be reached, and `too_many_requests` past the hourly limit of the project.
 */
export async function sendTest(services: Services, caller: Caller, { id }: ProjectRecord): Promise<TestSent> {
  const { store, mailer } = services;
  // Counted before a name is looked up: however many come at once, no more names are than messages may go out.
  const ways = await commitAsCaller(services, caller, (transaction) => {
    if (!transaction.get('projects', id)) throw projectGone();
    const wanted = waysOf(transaction.get('notifications', id));
    countTest(transaction, id, wanted);
    return wanted;
  });
  try {
    if (ways.includes('webhook')) await assertReachable(services, id);
    if (ways.includes('email') && !mailer)
      throw validationFailed([
        { path: 'email.enabled', detail: 'The server has no mail server: its operator has to set SERVICE_SMTP_URL.' },
      ]);
  } catch (error) {
    await store.commit((transaction) => {
      if (transaction.get('projects', id)) uncountTest(transaction, id, ways);
    });
    throw error;
  }
  const pending = await commitAsCaller(services, caller, (transaction) => {
    if (!transaction.get('projects', id)) throw projectGone();
    const ids = noteTest(transaction, id, ways);
    return ids.map((messageId) => services.testOutcomes.of(messageId, outcomeMs));
  });
  const isVague = services.config.allowPrivateWebhooks && caller.teamId !== operatorTeamId;
  const deadline = performance.now() + outcomeMs;
  const failures = await Promise.all(
    ways.map(async (way, index) => {
      const outcome = (await pending[index]) ?? null;
      return outcome && (await failureOf(way, outcome, isVague ? deadline : null));
    }),
  );
  const failed = failures.filter((failure) => failure !== null);
  const sent = ways.filter((_, index) => failures[index] === null);
  return { sent, ...(failed.length > 0 && { failed }) };
}

/** `vagueUntil`: the caller may not learn why or how soon a webhook failed, so each failure is answered at that time. */
async function failureOf(
  way: NotificationChannel,
  { error }: NonNullable<TestOutcome>,
  vagueUntil: number | null,
): Promise<TestFailure> {
  if (way === 'email' || vagueUntil === null) return testFailure(way, error);
  await sleep(Math.max(0, vagueUntil - performance.now()), undefined, { ref: false });
  return vagueWebhookFailure();
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
    throw validationFailed([{ path: 'webhook.url', detail: testFailures[error.reason] }]);
  });
}
