import type { Services } from '../services.ts';
import type { MessageRecord } from '../store/records.ts';
import { startWorkers, type Workers } from '../store/workers.ts';
import { chatOf, mailOf, type Told } from './message.ts';
import { postWebhook } from './post-webhook.ts';

const mostAtOnce = 32;
const mostFailures = 8;
const firstRetryMs = 5_000;
const longestRetryMs = 3_600_000;

/**
 * Sends what stands in the outbox, also what an earlier process left there, and takes it out. A way that is dead holds up
 * nobody who reports, and no other way: of each, one message is sent at a time, the oldest first.
 */
export function startMessenger(services: Services): Workers {
  const { store, log, mailer, now } = services;
  /** What is delivered, but stands in the outbox yet. */
  const delivered = new Set<number>();
  return startWorkers(services, {
    table: store.model.tables.outbox,
    mostAtOnce,
    dueAt: ({ due_at }) => due_at,
    laneOf: ({ project_id, way }) => `${way} ${project_id}`,
    // One that is cut off behind its delivery is sent again by the next process.
    graceMs: 1_000,
    run: deliver,
    onFailure({ project_id }, error) {
      log.warn({ err: error, project_id }, 'the outbox could not be written; it is tried again');
    },
  });

  /** Rejects if the storage fails. */
  async function deliver(message: MessageRecord, stop: AbortSignal): Promise<void> {
    const { id } = message;
    try {
      if (!delivered.has(id)) await unlessStopped(send(message, stop), stop);
    } catch (error) {
      if (!stop.aborted) await noteFailure(message, error);
      return;
    }
    // A storage that fails now is no reason to tell it twice.
    delivered.add(id);
    await store.commit((draft) => {
      if (draft.get('outbox', id)) draft.remove('outbox', id);
    });
    delivered.delete(id);
  }

  async function send(message: MessageRecord, stop: AbortSignal): Promise<void> {
    const { project_id, group_id, way } = message;
    const project = store.model.tables.projects.get(project_id);
    const settings = store.model.tables.notifications.get(project_id);
    const group = group_id === null ? null : (store.model.groups.get(group_id) ?? null);
    // What it would tell of is gone.
    if (!project || !settings || (group_id !== null && !group)) return;
    const told: Told = {
      message,
      project: project.name,
      group: group && group.toRecord(now()),
      link: group_id === null ? services.baseUrl : `${services.baseUrl}/groups/${group_id}`,
    };
    if (way === 'email') {
      const { enabled, to } = settings.email;
      if (enabled && mailer && to.length > 0) await mailer.send(to, mailOf(told));
    } else {
      const { enabled, url, format } = settings.webhook;
      if (enabled && url !== null) await postWebhook(services, url, chatOf(told, format), stop);
    }
  }

  async function noteFailure({ id, project_id, way }: MessageRecord, error: unknown): Promise<void> {
    const isOver = await store.commit((draft) => {
      const known = draft.get('outbox', id);
      if (!known) return true;
      const failed = known.failed + 1;
      if (failed >= mostFailures) {
        draft.remove('outbox', id);
        return true;
      }
      const waitMs = Math.min(longestRetryMs, firstRetryMs * 4 ** known.failed);
      draft.put('outbox', { ...known, failed, due_at: draft.now + waitMs });
      return false;
    });
    const outcome = isOver ? 'a notification was not delivered, and is given up' : 'a notification was not delivered';
    log.warn({ err: error, project_id, way }, outcome);
  }
}

/** What is left behind may go on for a while; nobody waits for it. */
function unlessStopped(work: Promise<void>, stop: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(stop.reason as Error);
    stop.addEventListener('abort', giveUp);
    void work.then(resolve, reject).finally(() => stop.removeEventListener('abort', giveUp));
  });
}
