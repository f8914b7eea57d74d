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

/** The answer to POST /projects/{id}/notifications/test: by which ways a message is under way. */
export const TestSent = z.object({ sent: z.array(z.enum(['email', 'webhook'])) });
export type TestSent = z.infer<typeof TestSent>;
