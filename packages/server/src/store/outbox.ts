import type { Draft } from './draft.ts';
import type { MessageRecord, NotificationRecord, Way } from './records.ts';

const hourMs = 3_600_000;
/** Of one project. */
const mostAnHour = 60;

/** The ways by which a project is told. */
export function waysOf(settings: NotificationRecord | undefined): Way[] {
  if (!settings) return [];
  const { email, webhook } = settings;
  return [
    ...(email.enabled && email.to.length > 0 ? (['email'] as const) : []),
    ...(webhook.enabled && webhook.url !== null ? (['webhook'] as const) : []),
  ];
}

/**
 * Notes, in the very entry batch that counts a report, that somebody is to be told of its group: so exactly one message
 * goes out, whatever is killed when. Past the hourly limit it is only counted, and the next message tells how many.
 */
export function notify(draft: Draft, projectId: number, kind: 'new' | 'reopened', groupId: number): void {
  const settings = draft.get('notifications', projectId);
  const ways = waysOf(settings);
  if (!settings || ways.length === 0) return;
  const { began_at = 0, sent = 0, left_out = 0 } = settings.hour ?? {};
  const isOver = draft.now - began_at >= hourMs || draft.now < began_at;
  const sentBefore = isOver ? 0 : sent;
  const begins = isOver ? draft.now : began_at;
  const isLeftOut = sentBefore + ways.length > mostAnHour;
  draft.put('notifications', {
    ...settings,
    hour: {
      began_at: begins,
      sent: isLeftOut ? sentBefore : sentBefore + ways.length,
      left_out: isLeftOut ? left_out + 1 : 0,
    },
  });
  if (isLeftOut) return;
  for (const way of ways) noteMessage(draft, projectId, way, { kind, group_id: groupId, left_out });
}

export function noteMessage(
  draft: Draft,
  projectId: number,
  way: Way,
  told: Pick<MessageRecord, 'kind' | 'group_id'> & { left_out?: number },
): void {
  draft.put('outbox', {
    id: draft.nextId('outbox'),
    project_id: projectId,
    way,
    left_out: 0,
    ...told,
    at: draft.now,
    failed: 0,
    due_at: draft.now,
  });
}
