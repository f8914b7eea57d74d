import * as z from 'zod';
import { limits } from './limits.ts';

export const WebhookFormat = z.enum(['slack', 'mattermost']);
export type WebhookFormat = z.infer<typeof WebhookFormat>;

/** Who is told of new and reopened groups of a project. */
export const Notifications = z.object({
  email: z.object({ enabled: z.boolean(), to: z.array(z.string()) }),
  webhook: z.object({
    enabled: z.boolean(),
    /** Masked for viewers: whoever has it can post there. */
    url: z.string().nullable(),
    format: WebhookFormat,
  }),
});
export type Notifications = z.infer<typeof Notifications>;

const webhookUrl = 'expected an http or https URL without a user and a password';

/** The body of PUT /projects/{id}/notifications. */
export const NotificationsInput = z.strictObject({
  email: z
    .strictObject({
      enabled: z.boolean(),
      to: z.array(z.email('expected an e-mail address').max(limits.emailChars)).max(limits.mailRecipients),
    })
    .refine(({ enabled, to }) => !enabled || to.length > 0, { path: ['to'], error: 'expected somebody to write to' }),
  webhook: z
    .strictObject({
      enabled: z.boolean(),
      url: z
        .string()
        .max(limits.urlChars)
        .regex(/^https?:\/\/[^\s/?#@]+([/?#]|$)/i, webhookUrl)
        .pipe(z.url(webhookUrl))
        .nullable(),
      format: WebhookFormat,
    })
    .refine(({ enabled, url }) => !enabled || url !== null, { path: ['url'], error: webhookUrl }),
});
export type NotificationsInput = z.infer<typeof NotificationsInput>;

export const NotificationChannel = z.enum(['email', 'webhook']);
export type NotificationChannel = z.infer<typeof NotificationChannel>;

/**
 * Why a test message was not delivered. A closed set: no sentence repeats what a stranger's server said, and none holds
 * an address or a secret. `{status}` is the HTTP status of the answer.
 */
export const testFailures = {
  host_not_found: 'The host of the webhook URL has no address.',
  private_address: 'The webhook URL leads into a private network. This server sends nothing there.',
  webhook_unreachable: 'The webhook could not be reached.',
  webhook_certificate: 'The TLS certificate of the webhook is not valid.',
  webhook_rejected: 'The webhook answered with status {status} and did not take the message.',
  webhook_failed: 'The webhook did not take the message. The log of the server has the reason.',
  mail_server_unreachable: 'The mail server could not be reached.',
  mail_server_sign_in: 'The mail server refused the user name or password of this server.',
  recipients_refused: 'The mail server refused one or more of the recipients.',
  mail_failed: 'The mail server did not take the message. The log of the server has the reason.',
  not_confirmed: 'The message was not taken within 12 seconds. It may still arrive.',
} as const;

export const TestFailureReason = z.enum(Object.keys(testFailures) as (keyof typeof testFailures)[]);
export type TestFailureReason = z.infer<typeof TestFailureReason>;

export const TestFailure = z.object({
  channel: NotificationChannel,
  reason: TestFailureReason,
  /** The reason as a sentence. */
  detail: z.string(),
});
export type TestFailure = z.infer<typeof TestFailure>;

/** The answer to POST /projects/{id}/notifications/test. Without a failure there is no `failed`. */
export const TestSent = z.object({ sent: z.array(NotificationChannel), failed: z.array(TestFailure).optional() });
export type TestSent = z.infer<typeof TestSent>;
