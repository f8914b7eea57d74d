import { setTimeout as sleep } from 'node:timers/promises';
import type { ChannelName, TestFailure, TestSent } from '@service/protocol';
import type { Caller } from '../accounts/caller.ts';
import { operatorTeamId } from '../credentials/first-owner.ts';
import { commitAsCaller } from '../accounts/commit-as-caller.ts';
import { projectNotFound } from '../projects/projects.ts';
import type { Services } from '../services.ts';
import { notificationChannels, enabledChannels } from './channels/notification-channels.ts';
import { countTestMessages, enqueueTestMessages, uncountTestMessages } from './outbox.ts';
import type { ProjectRecord } from '../store/records/records.ts';
import { testFailure, vagueWebhookFailure } from './test-failure.ts';
import type { TestOutcome } from '../outgoing/test-outcomes.ts';

/** Longer than the timeout of a webhook. The text of `not_confirmed` in the protocol quotes it. */
const outcomeTimeoutMs = 12_000;

/**
 * Sends a test message on every enabled channel and waits for the outcome, at most 12 s. Rejects with
 * `validation_failed` for a destination that this server can't or must not reach, and with `too_many_requests` beyond
 * the hourly limit.
 */
export async function sendTest(services: Services, caller: Caller, { id }: ProjectRecord): Promise<TestSent> {
  const { store } = services;
  // Counted before the host name is resolved, so that concurrent calls can't cause more lookups than messages are
  // allowed.
  const channels = await commitAsCaller(services, caller, (transaction) => {
    if (!transaction.get('projects', id)) throw projectNotFound();
    const wanted = enabledChannels(transaction.get('notifications', id));
    countTestMessages(transaction, id, wanted);
    return wanted;
  });
  try {
    const settings = store.model.tables.notifications.get(id);
    for (const channel of channels)
      if (settings) await notificationChannels[channel].assertDeliverable(services, settings);
  } catch (error) {
    await store.commit((transaction) => {
      if (transaction.get('projects', id)) uncountTestMessages(transaction, id, channels);
    });
    throw error;
  }
  const pending = await commitAsCaller(services, caller, (transaction) => {
    if (!transaction.get('projects', id)) throw projectNotFound();
    const ids = enqueueTestMessages(transaction, id, channels);
    return ids.map((messageId) => services.testOutcomes.of(messageId, outcomeTimeoutMs));
  });
  const isVague = services.config.allowPrivateWebhooks && caller.teamId !== operatorTeamId;
  const deadline = performance.now() + outcomeTimeoutMs;
  const failures = await Promise.all(
    channels.map(async (channel, index) => {
      const outcome = (await pending[index]) ?? null;
      return outcome && (await failureOf(channel, outcome, isVague ? deadline : null));
    }),
  );
  const failed = failures.filter((failure) => failure !== null);
  const sent = channels.filter((_, index) => failures[index] === null);
  return { sent, ...(failed.length > 0 && { failed }) };
}

/**
 * `vagueUntil`: the caller must not learn why or how soon a webhook failed, so every failure is returned at that time.
 */
async function failureOf(
  channel: ChannelName,
  { error }: NonNullable<TestOutcome>,
  vagueUntil: number | null,
): Promise<TestFailure> {
  if (channel === 'email' || vagueUntil === null) return testFailure(channel, error);
  await sleep(Math.max(0, vagueUntil - performance.now()), undefined, { ref: false });
  return vagueWebhookFailure();
}
