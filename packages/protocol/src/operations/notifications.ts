import {
  defaultNotifications,
  Notifications,
  NotificationsInput,
  Recipient,
  RecipientInput,
  TestSent,
} from '../notifications.ts';
import { PageQuery } from '../pagination.ts';
import { paths } from '../paths.ts';
import { noInput } from './no-input.ts';
import type { Operation } from './operation.ts';
import { pageExample, pageSchema } from './page-schema.ts';
import { projectParameters } from './path-parameters.ts';

export const RecipientPage = pageSchema(Recipient);

const recipientExample: Recipient = {
  email: 'team@shop.example',
  status: 'pending',
  asked_at: '2026-11-20T09:00:00.000Z',
};

const example: Notifications = {
  ...defaultNotifications,
  email: { enabled: true, to: ['team@shop.example'] },
};

const testSent: TestSent = {
  sent: ['email'],
  failed: [
    {
      channel: 'webhook',
      reason: 'webhook_rejected',
      detail: 'The webhook rejected the message with status 404.',
    },
  ],
};

export const notificationOperations: Operation[] = [
  {
    id: 'getNotifications',
    method: 'get',
    path: paths.notifications,
    tag: 'Notifications',
    summary: 'Get the notification settings of a project',
    description: 'Secrets are masked for viewers: of a secret URL, they see only the host.',
    auth: 'bearer',
    parameters: projectParameters,
    responses: { 200: { description: 'The settings.', body: { schema: Notifications, example } } },
  },
  {
    id: 'setNotifications',
    method: 'put',
    path: paths.notifications,
    tag: 'Notifications',
    summary: 'Set the notification settings of a project',
    description:
      'A message is sent when a group is new and when a resolved group is reopened. The limit is 60 messages per hour and project; the next message after that states how many were skipped. E-mails require a mail server in the settings of the operator. Recipients get notifications once they have confirmed their address by a link. Members of the team whose address is verified need not confirm it. The recipients of the operator’s own team need not confirm theirs.',
    auth: 'bearer',
    role: 'member',
    parameters: projectParameters,
    body: { type: 'application/json', schema: NotificationsInput, example },
    problems: ['overloaded'],
    responses: { 200: { description: 'The updated settings.', body: { schema: Notifications, example } } },
  },
  {
    id: 'testNotifications',
    method: 'post',
    path: paths.notificationTest,
    tag: 'Notifications',
    summary: 'Send a test message',
    description:
      'Sends a message through every enabled channel and waits up to 12 seconds for the result. `sent` lists the channels that delivered the message, `failed` the others with a reason. A test message is not retried. The response is 422 if the host name of the webhook cannot be resolved or has a private address that the server must not reach. It is 422, too, if e-mail is the only enabled channel and the server has no mail server. Test messages count towards the limit of 60 per hour.',
    auth: 'bearer',
    role: 'member',
    parameters: projectParameters,
    body: noInput,
    problems: ['too_many_requests', 'overloaded'],
    responses: { 202: { description: 'The result of each channel.', body: { schema: TestSent, example: testSent } } },
  },
  {
    id: 'listRecipients',
    method: 'get',
    path: paths.recipients,
    tag: 'Notifications',
    summary: 'List the recipients of e-mails with their status',
    auth: 'bearer',
    parameters: projectParameters,
    query: PageQuery,
    responses: {
      200: {
        description: 'The recipients in the order of the settings.',
        body: {
          schema: RecipientPage,
          example: pageExample(recipientExample),
        },
      },
    },
  },
  {
    id: 'askRecipient',
    method: 'post',
    path: paths.askRecipient,
    tag: 'Notifications',
    summary: 'Ask a recipient again to confirm the address',
    description:
      'Sends a mail with a new link. One address gets at most 3 confirmation mails per day from all teams, and one team sends at most 50 per day. A team can ask at most 1,000 addresses. A recipient who has confirmed or declined gets no mail.',
    auth: 'bearer',
    role: 'member',
    parameters: projectParameters,
    body: { type: 'application/json', schema: RecipientInput, example: { email: 'team@shop.example' } },
    problems: ['conflict', 'too_many_requests'],
    responses: {
      202: {
        description: 'The mail is queued.',
        body: {
          schema: Recipient,
          example: recipientExample,
        },
      },
    },
  },
];
