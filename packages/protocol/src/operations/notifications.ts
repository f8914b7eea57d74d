import { Notifications, NotificationsInput, TestSent } from '../notifications.ts';
import { paths } from '../paths.ts';
import type { Operation, PathParameter } from './operation.ts';

const inProject = {
  id: { description: 'Id of the project.', problem: 'project_not_found' },
} as const satisfies Record<string, PathParameter>;

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
      detail: 'The webhook answered with status 404 and did not take the message.',
    },
  ],
};

export const notificationOperations: Operation[] = [
  {
    id: 'getNotifications',
    method: 'get',
    path: paths.notifications,
    tag: 'Notifications',
    summary: 'Get who is told of new errors',
    description: 'Viewers see of the URL of the webhook only where it leads.',
    auth: 'bearer',
    parameters: inProject,
    answers: { 200: { description: 'The settings.', body: { schema: Notifications, example } } },
  },
  {
    id: 'setNotifications',
    method: 'put',
    path: paths.notifications,
    tag: 'Notifications',
    summary: 'Set who is told of new errors',
    description:
      'A message goes out when a group is new and when a resolved one comes back, at most 60 an hour and project; the next one says how many were left out. E-mails need a mail server in the settings of the operator.',
    auth: 'bearer',
    role: 'member',
    parameters: inProject,
    body: { type: 'application/json', schema: NotificationsInput, example },
    answers: { 200: { description: 'The settings as they are now.', body: { schema: Notifications, example } } },
  },
  {
    id: 'testNotifications',
    method: 'post',
    path: paths.notificationTest,
    tag: 'Notifications',
    summary: 'Send a test message',
    description:
      'By every way that is enabled. The answer waits up to 12 seconds for the outcome: `sent` lists the ways that took the message, `failed` the others with a reason. A test message is tried once. A target that this server may not reach is refused. Test messages count among the 60 of an hour.',
    auth: 'bearer',
    role: 'member',
    parameters: inProject,
    problems: ['too_many_requests'],
    answers: { 202: { description: 'What became of the message.', body: { schema: TestSent, example: testSent } } },
  },
];
