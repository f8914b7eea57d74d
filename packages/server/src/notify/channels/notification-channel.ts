import type { ChannelName, TestFailureReason } from '@service/protocol';
import type { RefusedRecipients } from '../../outgoing/mailer.ts';
import type { Services } from '../../services.ts';
import type { MessageRecord, NotificationRecord } from '../../store/records/records.ts';
import type { NotificationContent } from './notification-content.ts';

/** One attempt to deliver a notification. */
interface Delivery {
  message: MessageRecord;
  settings: NotificationRecord;
  content: NotificationContent;
  /** Aborts when the server stops. */
  stop: AbortSignal;
}

/** The server that a channel delivers to. */
export interface Destination {
  /** Deliveries with the same key share the limits of `DeliveryLimiter`. */
  key: string;
  /** The operator has configured it, so it counts as responsive from the start. A URL of a project does not. */
  isTrusted: boolean;
}

/**
 * A way to deliver notifications. To add one: its name and settings in the protocol's `notifications.ts`, a file in
 * this folder, an entry in `notification-channels.ts`.
 */
export interface NotificationChannel {
  readonly name: ChannelName;
  /** Whether a project's settings ask for notifications on this channel. */
  isEnabled(settings: NotificationRecord): boolean;
  /** Returns the destination of the settings, or null if they name no destination. */
  destinationOf(settings: NotificationRecord): Destination | null;
  /** Rejects with `validation_failed` if these settings can't work on this server, for example a private address. */
  assertDeliverable(services: Services, settings: NotificationRecord): Promise<void>;
  /**
   * Delivers a message. Resolves with the recipients that the destination refused, or null if it can't tell.
   * Rejects if nothing was delivered. Does nothing if the channel was disabled after the message was queued.
   */
  send(services: Services, delivery: Delivery): Promise<RefusedRecipients | null>;
  /** Maps an error of `send` to a reason that the caller may read. The error's own message is only logged. */
  failureReason(error: unknown): TestFailureReason;
}
