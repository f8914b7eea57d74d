import type { ChannelName, Notifications, TestFailureReason } from '@service/protocol';
import type { RejectedRecipients } from '../../outgoing/mailer.ts';
import type { Services } from '../../services.ts';
import type { QueuedNotificationRecord } from '../../store/records/notification-records.ts';
import type { NotificationContent } from './notification-content.ts';

/** One attempt to deliver a notification. */
interface Delivery {
  message: QueuedNotificationRecord;
  content: NotificationContent;
  /** The team of the project. */
  teamId: number;
  /** Aborts when the server stops. */
  stop: AbortSignal;
}

/** The server that a channel delivers to. */
export interface Destination {
  /** Deliveries with the same key share the limits of `DeliveryLimiter`. */
  key: string;
  /**
   * True if the operator has configured the server. It then always counts as responsive, and its failures may be
   * disclosed to all teams. False for a URL in the settings of a project.
   */
  isTrusted: boolean;
}

/** Why the settings of a channel can't work on this server. */
export interface DeliveryObstacle {
  /** The field of the settings that can't work. */
  path: string;
  reason: TestFailureReason;
}

/** A way to deliver notifications. The last section of ARCHITECTURE.md lists the files that a new one touches. */
export interface NotificationChannel<Name extends ChannelName> {
  readonly name: Name;
  /** The reason that replaces all others for a caller who must not learn why a delivery failed. */
  readonly undisclosedReason: TestFailureReason;
  /** Returns whether a project wants notifications on this channel, and its settings are complete. */
  isEnabled(settings: Notifications[Name]): boolean;
  /** Returns the settings as viewers see them: without secrets. */
  mask(settings: Notifications[Name]): Notifications[Name];
  /** Returns the destination of the settings, or null if they name no destination. */
  destinationOf(settings: Notifications[Name]): Destination | null;
  /**
   * Resolves with what keeps these settings from working on this server, for example a private address, or with null.
   * Rejects with `overloaded` if too many host names are being resolved.
   */
  findObstacle(services: Services, settings: Notifications[Name]): Promise<DeliveryObstacle | null>;
  /**
   * Delivers a message on the enabled channel. Resolves with the recipients that the destination rejected, or null if
   * it doesn't report them or there was nothing to send, for example no confirmed recipient. Rejects if the delivery
   * failed.
   */
  send(services: Services, settings: Notifications[Name], delivery: Delivery): Promise<RejectedRecipients | null>;
  /** Maps an error of `send` to a reason that the caller may read. The error's own message is only logged. */
  failureReason(error: unknown): TestFailureReason;
}
