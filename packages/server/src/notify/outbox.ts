import type { ChannelName } from '@service/protocol';
import { ProblemError } from '../problem.ts';
import type { Transaction } from '../store/log/transaction.ts';
import type { MessageHourRecord, QueuedNotificationRecord } from '../store/records/notification-records.ts';
import { hourMs, minuteMs } from '../time/units.ts';
import { enabledChannels } from './channels/notification-channels.ts';

const bucketMs = 5 * minuteMs;
/** Maximum number of messages of one project in any 60 minutes. */
const maxPerHour = 60;

/**
 * Queues a notification about a group on every enabled channel, in the batch of the report that caused it. So a process
 * that is killed at any moment loses no notification, and may repeat one that it was delivering. Beyond the hourly
 * limit the notification is dropped and counted, and the next one says how many were dropped.
 */
export function enqueueNotifications(
  transaction: Transaction,
  projectId: number,
  kind: 'new' | 'reopened',
  groupId: number,
): void {
  const channels = enabledChannels(transaction.get('notifications', projectId));
  if (channels.length === 0) return;
  const hour = hourWindow(transaction, projectId);
  const { left_out } = hour;
  const isDropped = hour.sent + channels.length > maxPerHour;
  transaction.put(
    'message_hours',
    isDropped
      ? { ...hour, left_out: left_out + 1 }
      : { ...addToWindow(hour, channels.length, transaction.now), left_out: 0 },
  );
  if (isDropped) return;
  for (const { channel } of channels)
    enqueue(transaction, projectId, channel.name, { kind, group_id: groupId, left_out });
}

/**
 * Counts test messages towards the hourly limit, before any work is done for them. Throws `too_many_requests` beyond
 * the limit.
 */
export function countTestMessages(transaction: Transaction, projectId: number, count: number): void {
  if (count === 0) return;
  const hour = hourWindow(transaction, projectId);
  if (hour.sent + count > maxPerHour)
    throw new ProblemError('too_many_requests', `The limit of ${maxPerHour} messages per hour is reached.`, {
      retryAfterSeconds: Math.ceil(waitForRoomMs(hour, count, transaction.now) / 1_000),
    });
  transaction.put('message_hours', addToWindow(hour, count, transaction.now));
}

/** Reverts `countTestMessages` for messages that are not sent. */
export function uncountTestMessages(transaction: Transaction, projectId: number, count: number): void {
  const hour = hourWindow(transaction, projectId);
  const [at, newest] = hour.recent.at(-1) ?? [0, 0];
  const left = Math.max(0, newest - count);
  const before = hour.recent.slice(0, -1);
  const recent = left > 0 ? [...before, [at, left] as [number, number]] : before;
  transaction.put('message_hours', { ...hour, recent, sent: hour.sent - (newest - left) });
}

/** Queues a test message that is already counted. Returns its id. */
export function enqueueTestMessage(transaction: Transaction, projectId: number, channel: ChannelName): number {
  return enqueue(transaction, projectId, channel, { kind: 'test', group_id: null, left_out: 0 });
}

type HourWindow = MessageHourRecord & Required<Pick<MessageHourRecord, 'recent'>>;

/**
 * Returns what was sent in the last 60 minutes: a sliding window, so the limit can't be reached twice around an hour's
 * end.
 */
function hourWindow(transaction: Transaction, id: number): HourWindow {
  const { now } = transaction;
  const known = transaction.get('message_hours', id) ?? { id, began_at: now, sent: 0, left_out: 0, recent: [] };
  // A clock that was set back must not block notifications.
  const isRecent = ([at]: [at: number, count: number]): boolean => at > now - hourMs && at <= now;
  const recent = (known.recent ?? [[known.began_at, known.sent]]).filter(isRecent);
  const sent = recent.reduce((sum, [, count]) => sum + count, 0);
  return { ...known, began_at: recent[0]?.[0] ?? now, sent, recent };
}

/** Adds to the window. Messages of the same five minutes share an entry, so that a record stays small. */
function addToWindow(hour: HourWindow, count: number, now: number): HourWindow {
  const last = hour.recent.at(-1);
  const isSameBucket = last && Math.floor(last[0] / bucketMs) === Math.floor(now / bucketMs);
  const recent: HourWindow['recent'] = isSameBucket
    ? [...hour.recent.slice(0, -1), [now, last[1] + count]]
    : [...hour.recent, [now, count]];
  return { ...hour, recent, sent: hour.sent + count };
}

/** Returns the milliseconds until the window has room for `wanted` more messages. */
function waitForRoomMs({ recent, sent }: HourWindow, wanted: number, now: number): number {
  let left = sent;
  for (const [at, count] of recent) {
    left -= count;
    if (left + wanted <= maxPerHour) return at + hourMs - now;
  }
  return hourMs;
}

function enqueue(
  transaction: Transaction,
  projectId: number,
  channel: ChannelName,
  content: Pick<QueuedNotificationRecord, 'kind' | 'group_id' | 'left_out'>,
): number {
  const id = transaction.nextId('outbox');
  transaction.put('outbox', {
    id,
    project_id: projectId,
    way: channel,
    ...content,
    at: transaction.now,
    failed: 0,
    due_at: transaction.now,
  });
  return id;
}
