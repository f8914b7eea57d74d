import { startJobRunner, type JobRunner } from '../jobs/job-runner.ts';
import type { RejectedRecipients } from '../outgoing/mailer.ts';
import { isLookupQueueTimeout, rejectOnAbort } from '../outgoing/name-lookup.ts';
import { retryDelayMs } from '../outgoing/retry-delay.ts';
import type { Services } from '../services.ts';
import type { QueuedNotificationRecord } from '../store/records/notification-records.ts';
import type { Destination } from './channels/notification-channel.ts';
import { configuredChannel } from './channels/notification-channels.ts';
import type { NotificationContent } from './channels/notification-content.ts';
import { DeliveryLimiter, maxConcurrentDeliveries } from './delivery-limiter.ts';
import { warnOfMail } from './settings.ts';

const maxDeliveryAttempts = 8;
/** A failed test message is not retried: the caller has already read the outcome, and a later message would confuse. */
const maxTestAttempts = 1;
/** The delay of a message whose host name could not be looked up yet. */
const postponedMs = 5_000;

/**
 * Delivers the messages of the outbox, including those that an earlier process has queued, and removes them.
 * Each project and channel is a lane: its messages are sent one at a time, the longest due first, so a dead destination
 * delays neither reports nor other lanes. `DeliveryLimiter` decides how many lanes may send at once.
 */
export function startNotificationDispatcher(services: Services): JobRunner {
  const { store, log, now, testMessageOutcomes } = services;
  const { outbox, notifications, projects } = store.model.tables;
  const limiter = new DeliveryLimiter();
  /** Messages that were delivered but could not be removed from the outbox yet. */
  const delivered = new Set<number>();
  /** The recipients who have not received a message yet, until they are recorded in the log. */
  const pendingRecipients = new Map<number, string[]>();
  for (const { id, email } of notifications.values()) if (email.enabled) warnOfMail(services, id);
  return startJobRunner(services, {
    table: outbox,
    maxConcurrent: maxConcurrentDeliveries,
    dueAt: ({ due_at }) => due_at,
    laneOf: ({ project_id, way }) => `${way} ${project_id}`,
    hasRoom: (message) => limiter.hasRoom(destinationOf(message)),
    // A delivery that is interrupted after the destination accepted it is repeated by the next process.
    graceMs: 1_000,
    run: deliver,
    onFailure({ project_id }, error) {
      log.warn({ err: error, project_id }, 'the outbox could not be written; the message is processed again');
    },
  });

  function destinationOf({ way, project_id }: QueuedNotificationRecord): Destination | null {
    const { channel, settings } = configuredChannel(way, notifications.get(project_id));
    return channel.destinationOf(settings);
  }

  /** Rejects if the storage fails. */
  async function deliver(message: QueuedNotificationRecord, stop: AbortSignal): Promise<void> {
    const { id } = message;
    try {
      if (!delivered.has(id) && (await attempt(message, stop)) === 'retry') return;
    } catch (error) {
      if (stop.aborted) return;
      if (isLookupQueueTimeout(error)) await postpone(message);
      else {
        testMessageOutcomes.settle(id, { error });
        await recordFailure(message, error, pendingRecipients.get(id));
      }
      return;
    }
    // If the storage fails now, the message must not be sent a second time.
    delivered.add(id);
    await store.commit((transaction) => {
      if (transaction.get('outbox', id)) transaction.remove('outbox', id);
    });
    delivered.delete(id);
    pendingRecipients.delete(id);
  }

  /** Sends a message once. Resolves with `retry` if some recipients must be retried; they are recorded in the log. */
  async function attempt(message: QueuedNotificationRecord, stop: AbortSignal): Promise<'retry' | 'done'> {
    const { id } = message;
    const to = pendingRecipients.get(id);
    const send = deliveryOf(to ? { ...message, to } : message, stop);
    if (!send) {
      testMessageOutcomes.settle(id, null);
      return 'done';
    }
    const destination = destinationOf(message);
    const end = destination === null ? null : limiter.begin(destination);
    let isAccepted: boolean | null = false;
    try {
      const result = await rejectOnAbort(send(), stop);
      isAccepted = true;
      // If the storage fails now, the recipients who accepted the message must not get it a second time.
      if (result && result.temporary.length > 0) pendingRecipients.set(id, result.temporary);
      testMessageOutcomes.settle(id, result?.reason ? { error: result.reason } : null);
      return result?.reason && (await mustRetry(message, result, result.reason)) ? 'retry' : 'done';
    } catch (error) {
      if (isLookupQueueTimeout(error)) isAccepted = null;
      throw error;
    } finally {
      end?.(isAccepted);
    }
  }

  /**
   * Returns a function that sends a message. It resolves with the rejected recipients, or null if the channel doesn't
   * report them. Returns null if the project or the group was deleted, or the channel disabled, after the message was
   * queued.
   */
  function deliveryOf(
    message: QueuedNotificationRecord,
    stop: AbortSignal,
  ): (() => Promise<RejectedRecipients | null>) | null {
    const { project_id, group_id, way } = message;
    const project = projects.get(project_id);
    const { channel, settings } = configuredChannel(way, notifications.get(project_id));
    const group = group_id === null ? null : (store.model.groups.get(group_id) ?? null);
    if (!project || (group_id !== null && !group) || !channel.isEnabled(settings)) return null;
    const content: NotificationContent = {
      message,
      project: project.name,
      group: group && group.toRecord(now()),
      link: group_id === null ? services.baseUrl : `${services.baseUrl}/groups/${group_id}`,
    };
    return () => channel.send(services, settings, { message, content, teamId: project.team_id, stop });
  }

  /** Logs rejected recipients. Resolves with true if some were rejected temporarily: only these are retried. */
  async function mustRetry(
    message: QueuedNotificationRecord,
    result: RejectedRecipients,
    reason: Error,
  ): Promise<boolean> {
    const { project_id, way } = message;
    const { permanent, temporary } = result;
    if (permanent.length > 0)
      log.warn(
        { err: reason, project_id, way, recipients: permanent.length },
        'the mail server permanently rejected some recipients of a notification',
      );
    if (temporary.length === 0) return false;
    await recordFailure(message, reason, temporary);
    return true;
  }

  /** Retries later without counting an attempt, because the destination was never contacted. */
  async function postpone({ id }: QueuedNotificationRecord): Promise<void> {
    await store.commit((transaction) => {
      const current = transaction.get('outbox', id);
      if (current) transaction.put('outbox', { ...current, due_at: transaction.now + postponedMs });
    });
  }

  async function recordFailure(
    { id, project_id, way }: QueuedNotificationRecord,
    error: unknown,
    to?: string[],
  ): Promise<void> {
    const isDropped = await store.commit((transaction) => {
      const current = transaction.get('outbox', id);
      if (!current) return true;
      const failed = current.failed + 1;
      if (failed >= (current.kind === 'test' ? maxTestAttempts : maxDeliveryAttempts)) {
        transaction.remove('outbox', id);
        return true;
      }
      const waitMs = retryDelayMs(current.failed);
      transaction.put('outbox', { ...current, ...(to && { to }), failed, due_at: transaction.now + waitMs });
      return false;
    });
    pendingRecipients.delete(id);
    const outcome = isDropped
      ? 'a notification was not delivered, and is dropped'
      : 'a notification was not delivered, and is retried';
    log.warn({ err: error, project_id, way }, outcome);
  }
}
