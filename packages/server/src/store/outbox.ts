import { ProblemError } from '../problem.ts';
import type { Draft } from './draft.ts';
import type { MessageHourRecord, MessageRecord, NotificationRecord, Way } from './records.ts';

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
  const ways = waysOf(draft.get('notifications', projectId));
  if (ways.length === 0) return;
  const hour = hourOf(draft, projectId);
  const { left_out } = hour;
  const isLeftOut = hour.sent + ways.length > mostAnHour;
  draft.put(
    'message_hours',
    isLeftOut ? { ...hour, left_out: left_out + 1 } : { ...hour, sent: hour.sent + ways.length, left_out: 0 },
  );
  if (isLeftOut) return;
  for (const way of ways) noteMessage(draft, projectId, way, { kind, group_id: groupId, left_out });
}

/** Notes a test message for each of these ways. Throws `too_many_requests` past the hourly limit. */
export function noteTest(draft: Draft, projectId: number, ways: readonly Way[]): void {
  if (ways.length === 0) return;
  const hour = hourOf(draft, projectId);
  if (hour.sent + ways.length > mostAnHour)
    throw new ProblemError('too_many_requests', `The project has sent its ${mostAnHour} messages of this hour.`, {
      retryAfterSeconds: Math.ceil((hour.began_at + hourMs - draft.now) / 1_000),
    });
  draft.put('message_hours', { ...hour, sent: hour.sent + ways.length });
  for (const way of ways) noteMessage(draft, projectId, way, { kind: 'test', group_id: null, left_out: 0 });
}

/** An hour begins with the first message after the one before is over. */
function hourOf(draft: Draft, id: number): MessageHourRecord {
  const { now } = draft;
  const known = draft.get('message_hours', id) ?? { id, began_at: now, sent: 0, left_out: 0 };
  // A clock that was set back must not hold anybody up.
  const isOver = now - known.began_at >= hourMs || now < known.began_at;
  return isOver ? { ...known, began_at: now, sent: 0 } : known;
}

function noteMessage(
  draft: Draft,
  projectId: number,
  way: Way,
  told: Pick<MessageRecord, 'kind' | 'group_id' | 'left_out'>,
): void {
  draft.put('outbox', {
    id: draft.nextId('outbox'),
    project_id: projectId,
    way,
    ...told,
    at: draft.now,
    failed: 0,
    due_at: draft.now,
  });
}
