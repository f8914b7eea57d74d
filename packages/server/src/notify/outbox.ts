import { ProblemError } from '../problem.ts';
import type { Transaction } from '../store/log/transaction.ts';
import type { MessageHourRecord, MessageRecord, NotificationRecord, Channel } from '../store/records/records.ts';

const hourMs = 3_600_000;
const partMs = 300_000;
/** Of one project. */
const mostAnHour = 60;

/** The ways by which a project is told. */
export function waysOf(settings: NotificationRecord | undefined): Channel[] {
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
export function notify(transaction: Transaction, projectId: number, kind: 'new' | 'reopened', groupId: number): void {
  const ways = waysOf(transaction.get('notifications', projectId));
  if (ways.length === 0) return;
  const hour = hourOf(transaction, projectId);
  const { left_out } = hour;
  const isLeftOut = hour.sent + ways.length > mostAnHour;
  transaction.put(
    'message_hours',
    isLeftOut ? { ...hour, left_out: left_out + 1 } : { ...counted(hour, ways.length, transaction.now), left_out: 0 },
  );
  if (isLeftOut) return;
  for (const way of ways) noteMessage(transaction, projectId, way, { kind, group_id: groupId, left_out });
}

/** Counts a test message for each of these ways, before anything is done for it. Throws `too_many_requests` past the hourly limit. */
export function countTest(transaction: Transaction, projectId: number, ways: readonly Channel[]): void {
  if (ways.length === 0) return;
  const hour = hourOf(transaction, projectId);
  if (hour.sent + ways.length > mostAnHour)
    throw new ProblemError('too_many_requests', `The project has sent its ${mostAnHour} messages of this hour.`, {
      retryAfterSeconds: Math.ceil(waitMs(hour, ways.length, transaction.now) / 1_000),
    });
  transaction.put('message_hours', counted(hour, ways.length, transaction.now));
}

/** Takes a test back that was counted and is not sent. */
export function uncountTest(transaction: Transaction, projectId: number, ways: readonly Channel[]): void {
  const hour = hourOf(transaction, projectId);
  const [at, count] = hour.recent.at(-1) ?? [0, 0];
  const left = Math.max(0, count - ways.length);
  const before = hour.recent.slice(0, -1);
  const recent = left > 0 ? [...before, [at, left] as [number, number]] : before;
  transaction.put('message_hours', { ...hour, recent, sent: hour.sent - (count - left) });
}

/** Notes a test message, which was counted, for each of these ways. Returns their ids in the same order. */
export function noteTest(transaction: Transaction, projectId: number, ways: readonly Channel[]): number[] {
  return ways.map((way) => noteMessage(transaction, projectId, way, { kind: 'test', group_id: null, left_out: 0 }));
}

type Hour = MessageHourRecord & Required<Pick<MessageHourRecord, 'recent'>>;

/** What went out in the last hour, whenever that began: so no two hours meet in which there were as many each. */
function hourOf(transaction: Transaction, id: number): Hour {
  const { now } = transaction;
  const known = transaction.get('message_hours', id) ?? { id, began_at: now, sent: 0, left_out: 0, recent: [] };
  // A clock that was set back must not hold anybody up.
  const isRecent = ([at]: [at: number, count: number]): boolean => at > now - hourMs && at <= now;
  const recent = (known.recent ?? [[known.began_at, known.sent]]).filter(isRecent);
  const sent = recent.reduce((sum, [, count]) => sum + count, 0);
  return { ...known, began_at: recent[0]?.[0] ?? now, sent, recent };
}

/** Parts of a few minutes are counted together, and with their last one, so that a record stays small. */
function counted(hour: Hour, count: number, now: number): Hour {
  const last = hour.recent.at(-1);
  const isSamePart = last && Math.floor(last[0] / partMs) === Math.floor(now / partMs);
  const recent: Hour['recent'] = isSamePart
    ? [...hour.recent.slice(0, -1), [now, last[1] + count]]
    : [...hour.recent, [now, count]];
  return { ...hour, recent, sent: hour.sent + count };
}

/** How long it takes until there is room for so many. */
function waitMs({ recent, sent }: Hour, wanted: number, now: number): number {
  let left = sent;
  for (const [at, count] of recent) {
    left -= count;
    if (left + wanted <= mostAnHour) return at + hourMs - now;
  }
  return hourMs;
}

function noteMessage(
  transaction: Transaction,
  projectId: number,
  way: Channel,
  told: Pick<MessageRecord, 'kind' | 'group_id' | 'left_out'>,
): number {
  const id = transaction.nextId('outbox');
  transaction.put('outbox', {
    id,
    project_id: projectId,
    way,
    ...told,
    at: transaction.now,
    failed: 0,
    due_at: transaction.now,
  });
  return id;
}
