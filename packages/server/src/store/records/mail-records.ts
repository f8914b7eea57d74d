import type { Confirmation } from '@service/protocol';

/** A mail to one address that is not delivered yet, other than a notification. */
export interface MailRecord {
  id: number;
  team_id: number;
  /** `account` and `recipient` ask for a confirmation. `payment` informs an owner about a refund or a dispute. */
  kind: Confirmation['kind'] | 'payment';
  to: string;
  /** The payment of a mail of this kind. */
  payment_id?: number;
  /** Milliseconds. */
  at: number;
  /** Failed deliveries, and the time of the next attempt. */
  failed: number;
  due_at: number;
}

/** The number of mails of a day that count towards a limit. `id` names the limit and what it limits. */
export interface MailDayRecord {
  id: string;
  /** Days since 1970. */
  day: number;
  count: number;
}
