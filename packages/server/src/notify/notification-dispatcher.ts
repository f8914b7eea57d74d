import type { Services } from '../services.ts';
import type { MessageRecord } from '../store/records/records.ts';
import { startWorkers, type Workers } from '../jobs/workers.ts';
import { hadNoTurn, unlessStopped } from '../outgoing/name-lookup.ts';
import type { Sent } from '../outgoing/mailer.ts';
import { chatOf, mailOf, type NotificationContent } from './message.ts';
import { postWebhook } from './post-webhook.ts';
import { noMailServer, warnOfMail } from './settings.ts';
import { mostAtOnce, DeliveryLimiter } from './delivery-limiter.ts';

const mostFailures = 8;
/** The caller has the outcome at once, and a late one would only confuse. */
const mostFailuresOfTest = 1;
const firstRetryMs = 5_000;
const longestRetryMs = 3_600_000;

/**
 * Sends what stands in the outbox, also what an earlier process left there, and takes it out. A way that is dead holds up
 * nobody who reports, and no other way: of each, one message is sent at a time, the oldest first, and how many others may
 * be under way is up to how its target has taken the last ones (`Targets`).
 */
export function startNotificationDispatcher(services: Services): Workers {
  const { store, log, mailer, now, testOutcomes } = services;
  const { outbox, notifications, projects } = store.model.tables;
  const targets = new DeliveryLimiter();
  /** What is delivered, but stands in the outbox yet. */
  const delivered = new Set<number>();
  /** Who is still to be sent a message that others have taken, until the storage knows. */
  const owed = new Map<number, string[]>();
  for (const { id, email } of notifications.values()) if (email.enabled) warnOfMail(services, id);
  return startWorkers(services, {
    table: outbox,
    mostAtOnce,
    dueAt: ({ due_at }) => due_at,
    laneOf: ({ project_id, way }) => `${way} ${project_id}`,
    hasRoom: ({ project_id, way }) => targets.hasRoom(targets.of(way, notifications.get(project_id))),
    // One that is cut off behind its delivery is sent again by the next process.
    graceMs: 1_000,
    run: deliver,
    onFailure({ project_id }, error) {
      log.warn({ err: error, project_id }, 'the outbox could not be written; it is tried again');
    },
  });

  /** Rejects if the storage fails. */
  async function deliver(message: MessageRecord, stop: AbortSignal): Promise<void> {
    const { id, project_id, way } = message;
    try {
      if (!delivered.has(id)) {
        const to = owed.get(id);
        const target = targets.of(way, notifications.get(project_id));
        const end = target === null ? null : targets.begin(target);
        let isTaken: boolean | null = false;
        try {
          const sent = await unlessStopped(send(to ? { ...message, to } : message, stop), stop);
          isTaken = true;
          // A storage that fails now is no reason to tell the others twice.
          if (sent && sent.refusedForNow.length > 0) owed.set(id, sent.refusedForNow);
          testOutcomes.settle(id, sent?.reason ? { error: sent.reason } : null);
          if (sent?.reason && (await isWaitedFor(message, sent, sent.reason))) return;
        } catch (error) {
          if (hadNoTurn(error)) isTaken = null;
          throw error;
        } finally {
          end?.(isTaken);
        }
      }
    } catch (error) {
      if (stop.aborted) return;
      if (hadNoTurn(error)) await postpone(message);
      else {
        testOutcomes.settle(id, { error });
        await noteFailure(message, error, owed.get(id));
      }
      return;
    }
    // A storage that fails now is no reason to tell it twice.
    delivered.add(id);
    await store.commit((transaction) => {
      if (transaction.get('outbox', id)) transaction.remove('outbox', id);
    });
    delivered.delete(id);
    owed.delete(id);
  }

  /** Null: nothing is known of single recipients. */
  async function send(message: MessageRecord, stop: AbortSignal): Promise<Sent | null> {
    const { project_id, group_id, way } = message;
    const project = projects.get(project_id);
    const settings = notifications.get(project_id);
    const group = group_id === null ? null : (store.model.groups.get(group_id) ?? null);
    // What it would tell of is gone.
    if (!project || !settings || (group_id !== null && !group)) return null;
    const told: NotificationContent = {
      message,
      project: project.name,
      group: group && group.toRecord(now()),
      link: group_id === null ? services.baseUrl : `${services.baseUrl}/groups/${group_id}`,
    };
    if (way === 'email') {
      const { enabled } = settings.email;
      const to = settings.email.to.filter((address) => message.to?.includes(address) ?? true);
      if (!enabled || to.length === 0) return null;
      // It waits as long as any other: the operator may set one.
      if (!mailer) throw new Error(`${noMailServer}.`);
      return mailer.send(to, mailOf(told));
    }
    const { enabled, url, format } = settings.webhook;
    if (enabled && url !== null) await postWebhook(services, url, chatOf(told, format), stop);
    return null;
  }

  /** Tells of recipients that were refused. Whether some may be sent it later; no others are sent it again. */
  async function isWaitedFor(message: MessageRecord, sent: Sent, reason: Error): Promise<boolean> {
    const { project_id, way } = message;
    const { refused, refusedForNow } = sent;
    if (refused.length > 0)
      log.warn(
        { err: reason, project_id, way, recipients: refused.length },
        'recipients of a notification were refused for good by the mail server; others were not',
      );
    if (refusedForNow.length === 0) return false;
    await noteFailure(message, reason, refusedForNow);
    return true;
  }

  /** It was no attempt: nobody was asked for anything. */
  async function postpone({ id }: MessageRecord): Promise<void> {
    await store.commit((transaction) => {
      const known = transaction.get('outbox', id);
      if (known) transaction.put('outbox', { ...known, due_at: transaction.now + firstRetryMs });
    });
  }

  async function noteFailure({ id, project_id, way }: MessageRecord, error: unknown, to?: string[]): Promise<void> {
    const isOver = await store.commit((transaction) => {
      const known = transaction.get('outbox', id);
      if (!known) return true;
      const failed = known.failed + 1;
      if (failed >= (known.kind === 'test' ? mostFailuresOfTest : mostFailures)) {
        transaction.remove('outbox', id);
        return true;
      }
      const waitMs = Math.min(longestRetryMs, firstRetryMs * 4 ** known.failed);
      transaction.put('outbox', { ...known, ...(to && { to }), failed, due_at: transaction.now + waitMs });
      return false;
    });
    // The storage knows.
    owed.delete(id);
    const outcome = isOver ? 'a notification was not delivered, and is given up' : 'a notification was not delivered';
    log.warn({ err: error, project_id, way }, outcome);
  }
}
