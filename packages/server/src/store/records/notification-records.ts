import type { ChannelName, Notifications, Recipient } from '@service/protocol';

/** The notification settings of a project, in the table `notifications`. `id` is the id of the project. */
export interface NotificationSettingsRecord extends Notifications {
  id: number;
}

/** The messages that a project sent within the last hour. `id` is the id of the project. */
export interface MessageHourRecord {
  id: number;
  /** When the first message that still counts was sent, in milliseconds, and the number of messages since. */
  began_at: number;
  sent: number;
  /**
   * The same messages in parts, oldest first, each with the time of its last message. Absent if an older server wrote
   * it.
   */
  recent?: [at: number, count: number][];
  /** Number of notifications that were omitted since the last one that was sent. */
  left_out: number;
}

/** A notification, or a test message, that is not delivered yet. The table is `outbox`. */
export interface QueuedNotificationRecord {
  id: number;
  project_id: number;
  way: ChannelName;
  kind: 'new' | 'reopened' | 'test';
  group_id: number | null;
  /** Number of messages that were omitted before it. */
  left_out: number;
  /** Recipients of a mail that have not received it yet. Absent: all of them. */
  to?: string[];
  /** Milliseconds. */
  at: number;
  /** Failed deliveries, and the time of the next attempt. */
  failed: number;
  due_at: number;
}

/**
 * An address that was asked whether it wants the notifications of a team. `id` is the id of the team and the address in
 * lower case.
 */
export interface RecipientRecord {
  id: string;
  team_id: number;
  email: string;
  status: Recipient['status'];
  /** When the last mail with a link was queued. */
  asked_at: string;
}
