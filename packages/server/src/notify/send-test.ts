import { setTimeout as sleep } from 'node:timers/promises';
import { testFailures, type TestSent } from '@service/protocol';
import type { Caller } from '../accounts/caller.ts';
import { operatorTeamId } from '../teams/operator-team.ts';
import { commitAsCaller } from '../accounts/commit-as-caller.ts';
import { projectNotFound } from '../projects/projects.ts';
import type { Services } from '../services.ts';
import type { DeliveryObstacle } from './channels/notification-channel.ts';
import { enabledChannels } from './channels/notification-channels.ts';
import { countTestMessages, enqueueTestMessage, uncountTestMessages } from './outbox.ts';
import type { Transaction } from '../store/log/transaction.ts';
import { validationFailed } from '../validation/validation.ts';
import type { ProjectRecord } from '../store/records/project-records.ts';
import { testMessageFailure, undisclosedFailure } from './test-message-failure.ts';

/** Longer than the timeout of a webhook. The text of `not_confirmed` in the protocol quotes it. */
const outcomeTimeoutMs = 12_000;

/**
 * Sends a test message on every enabled channel that can work on this server, and waits for the outcome, at most 12 s.
 * Rejects with `project_not_found` if the project was deleted, and with `validation_failed` if none can work or a
 * target is rejected. Rejects with `overloaded` if too many host names are being resolved, and with `too_many_requests`
 * beyond the hourly limit.
 */
export async function sendTest(services: Services, caller: Caller, { id }: ProjectRecord): Promise<TestSent> {
  const { store } = services;
  // Counted before the host name is resolved, so that concurrent calls can't cause more lookups than messages are
  // allowed.
  const channels = await commitAsCaller(services, caller, (transaction) => {
    if (!transaction.get('projects', id)) throw projectNotFound();
    const enabled = enabledChannels(transaction.get('notifications', id));
    countTestMessages(transaction, id, enabled.length);
    return enabled;
  });
  const uncount = (transaction: Transaction, count: number): void => {
    if (count > 0 && transaction.get('projects', id)) uncountTestMessages(transaction, id, count);
  };
  const obstacles = await findObstacles(services, channels).catch(async (error: unknown) => {
    await store.commit((transaction) => uncount(transaction, channels.length));
    throw error;
  });
  const deliverable = channels.filter((_, index) => !obstacles[index]);
  const pending = await commitAsCaller(services, caller, (transaction) => {
    if (!transaction.get('projects', id)) throw projectNotFound();
    uncount(transaction, channels.length - deliverable.length);
    return new Map(
      deliverable.map(({ channel }) => {
        const messageId = enqueueTestMessage(transaction, id, channel.name);
        return [channel.name, services.testMessageOutcomes.of(messageId, outcomeTimeoutMs)];
      }),
    );
  });
  // Other teams than the operator's must not learn why or how soon a URL of theirs failed in a private network.
  const isNetworkHidden = services.config.allowPrivateWebhooks && caller.teamId !== operatorTeamId;
  const deadline = performance.now() + outcomeTimeoutMs;
  const failures = await Promise.all(
    channels.map(async ({ channel, settings }, index) => {
      const reason = obstacles[index]?.reason;
      if (reason) return { channel: channel.name, reason, detail: testFailures[reason] };
      const outcome = (await pending.get(channel.name)) ?? null;
      if (outcome === null) return null;
      if (!isNetworkHidden || channel.destinationOf(settings)?.isTrusted)
        return testMessageFailure(channel.name, outcome.error);
      await sleep(Math.max(0, deadline - performance.now()), undefined, { ref: false });
      return undisclosedFailure(channel.name);
    }),
  );
  const failed = failures.filter((failure) => failure !== null);
  const sent = channels.map(({ channel }) => channel.name).filter((_, index) => failures[index] === null);
  return { sent, ...(failed.length > 0 && { failed }) };
}

/**
 * Resolves with what keeps each channel from working, in the order of the channels. Rejects with `validation_failed` if
 * none can work, or if the server must not or can't send to a target.
 */
async function findObstacles(
  services: Services,
  channels: ReturnType<typeof enabledChannels>,
): Promise<(DeliveryObstacle | null)[]> {
  const obstacles: (DeliveryObstacle | null)[] = [];
  for (const { channel, settings } of channels) obstacles.push(await channel.findObstacle(services, settings));
  const found = obstacles.filter((obstacle) => obstacle !== null);
  // Without a mail server, the other channels can still be tested. A rejected target has to be changed first.
  const isTargetRejected = found.some(({ reason }) => reason !== 'no_mail_server');
  if (isTargetRejected || (found.length > 0 && found.length === channels.length))
    throw validationFailed(found.map(({ path, reason }) => ({ path, detail: testFailures[reason] })));
  return obstacles;
}
