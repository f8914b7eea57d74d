import type { Services } from '../services.ts';
import type { MessageRecord } from '../store/records.ts';
import { openMailer, type Mailer } from './mail.ts';
import { chatOf, mailOf, type Told } from './message.ts';
import { postWebhook } from './post-webhook.ts';

const mostAtOnce = 4;
const mostFailures = 8;
const firstRetryMs = 5_000;
const longestRetryMs = 3_600_000;
/** Those that wait for another try are looked for so often. */
const lookMs = 1_000;

/** What sends the messages of the outbox. */
export interface Messenger {
  stop(): Promise<void>;
}

/**
 * Sends what stands in the outbox, also what an earlier process left there, and takes it out. It follows the log: a way
 * that is dead holds up nobody who reports.
 */
export function startMessenger(services: Services): Messenger {
  const { store, log, config, now } = services;
  const { outbox } = store.model.tables;
  const stopping = new AbortController();
  const running = new Map<number, Promise<void>>();
  const mailer: Promise<Mailer | null> = openMailer(config).catch((error: unknown) => {
    log.error({ err: error }, 'e-mails can not be sent: npm install nodemailer');
    return null;
  });

  function look(): void {
    if (outbox.size === 0 || stopping.signal.aborted) return;
    for (const message of outbox.values()) {
      if (running.size >= mostAtOnce) return;
      if (message.due_at <= now() && !running.has(message.id)) begin(message);
    }
  }

  function begin(message: MessageRecord): void {
    const work = deliver(message).catch((error: unknown) => {
      log.warn({ err: error, project_id: message.project_id }, 'the outbox could not be written');
    });
    running.set(
      message.id,
      work.then(() => {
        running.delete(message.id);
        look();
      }),
    );
  }

  async function deliver(message: MessageRecord): Promise<void> {
    try {
      await send(message);
    } catch (error) {
      if (stopping.signal.aborted) return;
      await noteFailure(message, error);
      return;
    }
    await store.commit((draft) => {
      if (draft.get('outbox', message.id)) draft.remove('outbox', message.id);
    });
  }

  async function send(message: MessageRecord): Promise<void> {
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
      link: group_id === null ? services.baseUrl : `${services.baseUrl}/#/errors/${group_id}`,
    };
    if (way === 'email') {
      const { enabled, to } = settings.email;
      const by = await mailer;
      if (enabled && by && to.length > 0) await by.send(to, mailOf(told));
    } else {
      const { enabled, url, format } = settings.webhook;
      if (enabled && url !== null)
        await postWebhook(url, chatOf(told, format), config.allowPrivateWebhooks, stopping.signal);
    }
  }

  async function noteFailure({ id, project_id, way }: MessageRecord, error: unknown): Promise<void> {
    await store.commit((draft) => {
      const known = draft.get('outbox', id);
      if (!known) return;
      const failed = known.failed + 1;
      if (failed >= mostFailures) {
        draft.remove('outbox', id);
        return;
      }
      const waitMs = Math.min(longestRetryMs, firstRetryMs * 4 ** known.failed);
      draft.put('outbox', { ...known, failed, due_at: draft.now + waitMs });
    });
    log.warn({ err: error, project_id, way }, 'a notification was not delivered');
  }

  const unfollow = store.follow(look);
  const timer = setInterval(look, lookMs).unref();
  look();
  return {
    async stop() {
      unfollow();
      clearInterval(timer);
      stopping.abort();
      await Promise.all(running.values());
      (await mailer)?.close();
    },
  };
}
