import { Notifications, NotificationsInput, TestSent } from '../notifications.ts';
import { paths } from '../paths.ts';
import type { Operation } from './operation.ts';
import { projectParameters } from './path-parameters.ts';

const example: Notifications = {
  email: { enabled: true, to: ['team@shop.example'] },
  webhook: { enabled: false, url: null, format: 'slack' },
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
      'A message is sent when a group is new and when a resolved group is reopened. The limit is 60 messages per hour and project; the next message after that states how many were skipped. E-mails require a mail server in the settings of the operator.',
    auth: 'bearer',
    role: 'member',
    parameters: projectParameters,
    body: { type: 'application/json', schema: NotificationsInput, example },
    responses: { 200: { description: 'The updated settings.', body: { schema: Notifications, example } } },
  },
  {
    id: 'testNotifications',
    method: 'post',
    path: paths.notificationTest,
    tag: 'Notifications',
    summary: 'Send a test message',
    description:
      'Sends a message through every enabled channel and waits up to 12 seconds for the result. `sent` lists the channels that delivered the message, `failed` the others with a reason. A test message is not retried. A target that the server must not reach is rejected. Test messages count towards the limit of 60 per hour.',
    auth: 'bearer',
    role: 'member',
    parameters: projectParameters,
    problems: ['too_many_requests'],
    responses: { 202: { description: 'The result of each channel.', body: { schema: TestSent, example: testSent } } },
  },
];
