import { defaultNotifications, type NotificationsInput } from '@service/protocol';
import { afterEach, describe, expect, test } from 'vitest';
import { createService } from '../../src/index.ts';
import type { Caller } from '../../src/accounts/caller.ts';
import { readNotifications, setNotifications } from '../../src/notify/settings.ts';
import type { ProjectRecord } from '../../src/store/records/project-records.ts';
import type { NotificationSettingsRecord } from '../../src/store/records/notification-records.ts';
import { openService, type OpenService } from '../test-utils/open-service.ts';
import { operatorOf } from '../test-utils/upload-map.ts';

let service: OpenService;
afterEach(() => service.close());

async function openProject(): Promise<{ owner: Caller; project: ProjectRecord }> {
  service = await openService();
  const { body } = await service.call<{ id: number }>('POST', 'projects', { body: { name: 'Shop' } });
  const project = service.services.store.model.tables.projects.get(body.id);
  if (!project) throw new Error('The project is missing.');
  return { project, owner: operatorOf(project) };
}

const email = { enabled: false, to: ['a@example.com'] };
const webhook = { enabled: true, url: 'https://chat.example.com/hook', format: 'mattermost' } as const;

// Channels that were added later are optional in the input, for clients that do not know them.
describe('settings that do not name a channel', () => {
  test('keep its stored settings', async () => {
    const { owner, project } = await openProject();
    const { services } = service;
    await setNotifications(services, owner, project, { email, webhook });
    const changed = { email: { ...email, to: ['b@example.com'] } } as NotificationsInput;
    const response = await setNotifications(services, owner, project, changed);
    expect(response).toEqual({ ...defaultNotifications, email: changed.email, webhook });
    expect(readNotifications(services, owner, project)).toEqual(response);
  });

  test('store its default settings if none are stored', async () => {
    const { owner, project } = await openProject();
    const { services } = service;
    const response = await setNotifications(services, owner, project, { email } as NotificationsInput);
    expect(response).toEqual({ ...defaultNotifications, email });
    expect(readNotifications(services, owner, project)).toEqual(response);
  });
});

test('recipients that differ only in case are stored once, as the first is spelled', async () => {
  const { owner, project } = await openProject();
  const { services } = service;
  const to = ['Ann@Shop.example', 'ben@shop.example', 'ann@shop.example', 'ben@shop.example', 'BEN@shop.example'];
  const response = await setNotifications(services, owner, project, { email: { enabled: true, to }, webhook });
  expect(response.email.to).toEqual(['Ann@Shop.example', 'ben@shop.example']);
  expect(readNotifications(services, owner, project)).toEqual(response);
});

test('settings that were stored before a channel existed are read with its defaults', async () => {
  const { owner, project } = await openProject();
  const { services } = service;
  await services.store.commit((transaction) =>
    transaction.put('notifications', { id: project.id, email } as NotificationSettingsRecord),
  );
  expect(readNotifications(services, owner, project)).toEqual({ ...defaultNotifications, email });
});

test.each([
  [null, false],
  ['smtp://127.0.0.1:9', true],
])(
  'the page of the dashboard says whether the server sends e-mails: SERVICE_SMTP_URL %s',
  async (smtpUrl, isSending) => {
    const running = await createService({ storage: 'memory:', logLevel: 'silent', ...(smtpUrl && { smtpUrl }) });
    const page = await (await running.fetch(new Request('http://127.0.0.1:4400/'))).text();
    const [, facts = ''] = /<meta name="service" content="([^"]*)"/.exec(page) ?? [];
    expect(facts.split(' ').includes('mail')).toBe(isSending);
    await running.close();
  },
);
