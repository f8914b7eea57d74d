import { afterEach, expect, test, vi } from 'vitest';
import { closeAll, openFailingDriver, openNotifyingService, startMailServer } from '../notify/notified-project.ts';

afterEach(closeAll);

const polling = { interval: 10 };

test('a mail that is delivered while the storage fails is not sent again', async () => {
  let isFailing = false;
  const { url, mails } = await startMailServer({});
  const driver = await openFailingDriver(() => isFailing);
  const service = await openNotifyingService(
    { registration: 'open', smtpUrl: url, mailFrom: 'errors@shop.example' },
    { driver },
  );
  const queue = service.services.store.model.tables.mails;
  const warned = vi.spyOn(service.services.log, 'warn');
  // The disk fails as soon as the mail server has accepted the mail.
  const received = mails as string[][];
  const { push } = received;
  received.push = (...texts) => {
    isFailing = true;
    return push.apply(received, texts);
  };

  const { status } = await service.call('POST', 'auth/register', {
    body: { email: 'ada@shop.example', password: 'correct horse battery', team_name: 'Shop' },
  });
  expect(status).toBe(201);
  await expect
    .poll(() => warned.mock.calls.flat().join(' '), polling)
    .toContain('the queue of mails could not be written');
  isFailing = false;
  await expect.poll(() => queue.size, polling).toBe(0);
  expect(mails).toHaveLength(1);
});
