import { defaultNotifications } from '@service/protocol';
import { afterEach, expect, test } from 'vitest';
import { askRecipientAgain, listRecipients } from '../../src/notify/project-recipients.ts';
import { maxRecipientsPerTeam } from '../../src/recipients/ask-recipients.ts';
import { recipientId } from '../../src/store/records/recipient-id.ts';
import { operatorOf } from '../test-utils/upload-map.ts';
import { closeAll, openNotifyingService, startMailServer } from './notified-project.ts';

afterEach(closeAll);

test('a team can ask a limited number of addresses, and can ask the same addresses again', async () => {
  const { services, call } = await openNotifyingService({ smtpUrl: (await startMailServer({})).url });
  const { body } = await call<{ id: number }>('POST', 'projects', { body: { name: 'Shop' } });
  const created = services.store.model.tables.projects.get(body.id);
  if (!created) throw new Error('The project is missing.');
  // Recipients of the team of the operator are never asked.
  const project = { ...created, team_id: 2 };
  const asked = 'asked0@shop.example';
  const fresh = 'fresh@shop.example';
  await services.store.commit((transaction) => {
    transaction.put('projects', project);
    transaction.put('notifications', {
      ...defaultNotifications,
      id: body.id,
      email: { enabled: true, to: [asked, fresh] },
    });
    for (let index = 0; index < maxRecipientsPerTeam; index++) {
      const email = `asked${index}@shop.example`;
      transaction.put('recipients', {
        id: recipientId(2, email),
        team_id: 2,
        email,
        status: 'pending',
        asked_at: '2026-01-01T00:00:00.000Z',
      });
    }
  });
  const caller = operatorOf(project);
  await expect(askRecipientAgain(services, caller, project, fresh)).rejects.toMatchObject({ code: 'conflict' });
  await expect(askRecipientAgain(services, caller, project, asked)).resolves.toMatchObject({ status: 'pending' });
});

test('recipients that differ only in case are listed once and asked again in any spelling', async () => {
  const { services, call } = await openNotifyingService({ smtpUrl: (await startMailServer({})).url });
  const { body } = await call<{ id: number }>('POST', 'projects', { body: { name: 'Shop' } });
  const created = services.store.model.tables.projects.get(body.id);
  if (!created) throw new Error('The project is missing.');
  // Recipients of the team of the operator are never asked.
  const project = { ...created, team_id: 2 };
  await services.store.commit((transaction) => {
    transaction.put('projects', project);
    transaction.put('notifications', {
      ...defaultNotifications,
      id: body.id,
      email: { enabled: true, to: ['Ann@shop.example', 'ann@shop.example'] },
    });
  });
  const asked = await askRecipientAgain(services, operatorOf(project), project, 'ANN@shop.example');
  expect(asked).toMatchObject({ email: 'Ann@shop.example', status: 'pending' });
  expect(listRecipients(services, project, { page: 1, size: 50 })).toMatchObject({ items: [asked], total: 1 });
});
