import * as z from 'zod';
import { limits } from './limits.ts';
import { Timestamp } from './primitives.ts';

export const WebhookFormat = z.enum(['slack', 'mattermost']);
export type WebhookFormat = z.infer<typeof WebhookFormat>;

/** The settings of each channel that notifies of new and reopened groups of a project. */
export const Notifications = z.object({
  email: z.object({ enabled: z.boolean(), to: z.array(z.string()) }),
  webhook: z.object({
    enabled: z.boolean(),
    /** A secret: anyone who has it can post to the channel. It is masked for viewers. */
    url: z.string().nullable(),
    format: WebhookFormat,
  }),
});
export type Notifications = z.infer<typeof Notifications>;

/** The settings of a project that has stored none. */
export const defaultNotifications: Notifications = {
  email: { enabled: false, to: [] },
  webhook: { enabled: false, url: null, format: 'slack' },
};

/** The channels: each is named like its settings. */
export const ChannelName = Notifications.keyof();
export type ChannelName = z.infer<typeof ChannelName>;

const expectedUrl = 'expected an http or https URL without a user and a password';
/** A URL that the server posts to. */
const TargetUrl = z
  .string()
  .max(limits.urlChars)
  .regex(/^https?:\/\/[^\s/?#@]+([/?#]|$)/i, expectedUrl)
  .pipe(z.url(expectedUrl));

/** The body of PUT /projects/{id}/notifications. */
export const NotificationsInput = z.strictObject({
  email: z
    .strictObject({
      enabled: z.boolean(),
      to: z.array(z.email('expected an e-mail address').max(limits.emailChars)).max(limits.emailRecipients),
    })
    .refine(({ enabled, to }) => !enabled || to.length > 0, { path: ['to'], error: 'expected at least one recipient' }),
  webhook: z
    .strictObject({
      enabled: z.boolean(),
      url: TargetUrl.nullable(),
      format: WebhookFormat,
    })
    .refine(({ enabled, url }) => !enabled || url !== null, { path: ['url'], error: expectedUrl }),
} satisfies Record<ChannelName, z.ZodType>);
export type NotificationsInput = z.infer<typeof NotificationsInput>;

/**
 * The reasons why a test message was not delivered. The set is closed: no sentence repeats what a third-party server
 * sent, and none contains an address or a secret. `{status}` is the HTTP status of the response.
 */
export const testFailures = {
  host_not_found: 'The host name of the webhook URL could not be resolved.',
  private_address: 'The webhook URL points to a private network. This server does not send requests there.',
  webhook_unreachable: 'The webhook could not be reached.',
  webhook_certificate: 'The TLS certificate of the webhook is not valid.',
  webhook_rejected: 'The webhook rejected the message with status {status}.',
  webhook_failed: 'The message could not be delivered to the webhook. The server log has the reason.',
  no_mail_server: 'This server has no mail server: its operator has to set SERVICE_SMTP_URL.',
  mail_server_unreachable: 'The mail server could not be reached.',
  mail_server_sign_in: 'The mail server rejected the user name or password of this server.',
  recipients_not_confirmed: 'No recipient has confirmed their e-mail address yet. Each has been sent a link.',
  mail_limit_reached: 'The team has sent as many e-mails today as it may.',
  recipients_refused: 'The mail server rejected one or more recipients.',
  mail_failed: 'The mail server did not accept the message. The server log has the reason.',
  not_confirmed: 'Delivery was not confirmed within 12 seconds. The message may still arrive.',
} as const;

export const TestFailureReason = z.enum(Object.keys(testFailures) as (keyof typeof testFailures)[]);
export type TestFailureReason = z.infer<typeof TestFailureReason>;

export const TestFailure = z.object({
  channel: ChannelName,
  reason: TestFailureReason,
  /** The reason as a sentence. */
  detail: z.string(),
});
export type TestFailure = z.infer<typeof TestFailure>;

/** The response of POST /projects/{id}/notifications/test. `failed` is absent if every channel delivered. */
export const TestSent = z.object({ sent: z.array(ChannelName), failed: z.array(TestFailure).optional() });
export type TestSent = z.infer<typeof TestSent>;

/** A recipient of the e-mails of a project. */
export const Recipient = z.object({
  email: z.string(),
  /** Only `confirmed` recipients get notifications. */
  status: z.enum(['confirmed', 'pending', 'declined']),
  /** When the last mail with a link was requested. Null: never. */
  asked_at: Timestamp.nullable(),
});
export type Recipient = z.infer<typeof Recipient>;

/** The body of POST /projects/{id}/notifications/recipients/ask. */
export const RecipientInput = z.strictObject({ email: z.string().max(limits.emailChars) });
export type RecipientInput = z.infer<typeof RecipientInput>;
