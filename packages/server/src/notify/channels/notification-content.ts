import type { ErrorGroup } from '@service/protocol';
import { truncate } from '../../text/truncate.ts';
import type { QueuedNotificationRecord } from '../../store/records/notification-records.ts';

const maxTextChars = 500;

/** The data of a message. `group` is null for a test. */
export interface NotificationContent {
  message: Pick<QueuedNotificationRecord, 'kind' | 'left_out'>;
  project: string;
  group: ErrorGroup | null;
  /** The URL of the group in the dashboard, or of the dashboard for a test. */
  link: string;
}

/** Returns what happened, in one line of untrusted text: each channel escapes it. */
export function headline({ message: { kind }, group }: NotificationContent): string {
  if (!group) return 'This is a test: notifications arrive here.';
  const error = `${group.type === null ? '' : `${toOneLine(group.type)}: `}${toOneLine(group.message)}`;
  return truncateLine(`${kind === 'new' ? 'New error' : 'Reopened error'}: ${error}`, maxTextChars);
}

/** Returns facts about the group, each value in one line of untrusted text. */
export function groupFacts({ group }: NotificationContent): { name: string; value: string }[] {
  if (!group) return [];
  const { culprit, environments, last_release, count, first_seen } = group;
  return [
    { name: 'Where', value: toOneLine(culprit ?? '') },
    { name: 'Environments', value: truncateLine(environments.map(toOneLine).join(', '), maxTextChars) },
    { name: 'Release', value: toOneLine(last_release ?? '') },
    { name: 'Reports', value: `${count}, first at ${first_seen}` },
  ].filter(({ value }) => value !== '');
}

/** Returns a sentence about the messages that were skipped before this one, or null if none was. */
export function skippedNote({ message: { left_out } }: NotificationContent): string | null {
  if (left_out === 0) return null;
  return `${left_out} more ${left_out === 1 ? 'message was' : 'messages were'} skipped: the limit of messages was reached.`;
}

/** Returns the text on one line, without characters that change its direction and so disguise untrusted text. */
export function toOneLine(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g, ' ').trim();
}

/** Truncates a line to a number of characters, and marks that by an ellipsis. */
export function truncateLine(line: string, chars: number): string {
  return line.length > chars ? `${truncate(line, chars)}…` : line;
}
