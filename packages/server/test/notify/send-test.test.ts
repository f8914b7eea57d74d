import { testFailures, type TestFailureReason, type TestSent } from '@service/protocol';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { freePort } from '../../../../test/test-utils/free-port.ts';
import { password, signIn } from '../accounts/members.ts';
import type { ConfigInput } from '../../src/index.ts';
import type { OpenService } from '../test-utils/open-service.ts';
import {
  closeAll,
  openNotifyingService,
  startChat,
  startMailServer,
  startSilentServer,
  createNotifiedProject,
} from './notified-project.ts';

afterEach(closeAll);
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** Delays above ten seconds. They are recorded and end at once. */
const delays: number[] = [];

beforeEach(() => {
  delays.length = 0;
  const wait = timers.setTimeout;
  vi.spyOn(timers, 'setTimeout').mockImplementation((ms = 0, ...rest) => {
    if (ms <= 10_000) return wait(ms, ...rest);
    delays.push(ms);
    return Promise.resolve(rest[0]);
  });
  syncBuiltinESMExports();
});

const polling = { interval: 10 };

async function sendTest(service: OpenService, id: number): Promise<TestSent> {
  const { status, body } = await service.call<TestSent>('POST', `projects/${id}/notifications/test`);
  expect(status).toBe(202);
  return body;
}

const failure = (channel: 'email' | 'webhook', reason: TestFailureReason, detail: string = testFailures[reason]) => ({
  sent: [],
  failed: [{ channel, reason, detail }],
});

describe('a test message that a webhook rejects', () => {
  test('a rejected test message returns the status of the webhook and is not retried', async () => {
    const chat = await startChat(true, 404);
    const service = await openNotifyingService();
    const { id } = await createNotifiedProject(service, `http://127.0.0.1:${chat.port}/secret-path`);
    const response = await sendTest(service, id);
    expect(response).toEqual(
      failure('webhook', 'webhook_rejected', 'The webhook rejected the message with status 404.'),
    );
    expect(JSON.stringify(response)).not.toMatch(/secret-path|127\.0\.0\.1/);
    await expect.poll(() => service.services.store.model.tables.outbox.size, polling).toBe(0);
    expect(chat.texts).toHaveLength(1);
  });

  test('a test message returns webhook_unreachable if no server listens', async () => {
    const service = await openNotifyingService();
    const { id } = await createNotifiedProject(service, `http://127.0.0.1:${await freePort()}/`);
    expect(await sendTest(service, id)).toEqual(failure('webhook', 'webhook_unreachable'));
  });

  test('a test message returns private_address if its host resolves to one at delivery', async () => {
    let lookups = 0;
    const service = await openNotifyingService(
      { allowPrivateWebhooks: false },
      { resolveHost: async () => [{ address: lookups++ === 0 ? '93.184.215.14' : '127.0.0.1', family: 4 }] },
    );
    const { id } = await createNotifiedProject(service, 'http://hooks.example/');
    expect(await sendTest(service, id)).toEqual(failure('webhook', 'private_address'));
  });

  test('a failed test message hides reason and timing from other teams if private networks are allowed', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const chat = await startChat(true, 404);
    const service = await openNotifyingService({ registration: 'open' });
    const email = 'eve@figs.example';
    await service.call('POST', 'auth/register', { token: null, body: { email, password } });
    const token = await signIn(service.call, email);
    const bodies = await Promise.all(
      [chat.port, await freePort()].map(async (port) => {
        const { id } = await createNotifiedProject(
          { ...service, call: (method, path, options) => service.call(method, path, { token, ...options }) },
          `http://127.0.0.1:${port}/`,
        );
        const { body } = await service.call<TestSent>('POST', `projects/${id}/notifications/test`, { token });
        return body;
      }),
    );
    expect(bodies).toEqual([failure('webhook', 'webhook_failed'), failure('webhook', 'webhook_failed')]);
    expect(delays).toEqual([12_000, 12_000]);
  });
});

describe('a test message that a mail server rejects', () => {
  test.each([
    ['recipients_refused', async () => (await startMailServer({ 'team@shop.example': [550] })).url],
    ['recipients_refused', async () => (await startMailServer({ 'team@shop.example': [451] })).url],
    ['mail_server_sign_in', async () => (await startMailServer({})).url.replace('//', '//user:wrong-password@')],
    ['mail_server_unreachable', async () => `smtp://127.0.0.1:${await freePort()}`],
  ] as const)('a failed test e-mail returns %s', async (reason, start) => {
    const service = await openNotifyingService({ smtpUrl: await start() });
    const { id } = await createNotifiedProject(service, null);
    expect(await sendTest(service, id)).toEqual(failure('email', reason));
    await expect.poll(() => service.services.store.model.tables.outbox.size, polling).toBe(0);
  });

  test('a test message returns not_confirmed if the server stops before the outcome is known', async () => {
    const service = await openNotifyingService({ smtpUrl: `smtp://127.0.0.1:${(await startSilentServer()).port}` });
    const { id } = await createNotifiedProject(service, null);
    const response = sendTest(service, id);
    const { outbox } = service.services.store.model.tables;
    await expect.poll(() => outbox.size, polling).toBe(1);
    service.services.testMessageOutcomes.close();
    expect(await response).toEqual(failure('email', 'not_confirmed'));
  });
});

test('a test message returns the outcome of each channel', async () => {
  const chat = await startChat();
  const service = await openNotifyingService({ smtpUrl: `smtp://127.0.0.1:${await freePort()}` });
  const { id } = await createNotifiedProject(service, null);
  const settings = {
    email: { enabled: true, to: ['team@shop.example'] },
    webhook: { enabled: true, url: `http://127.0.0.1:${chat.port}/`, format: 'slack' },
  };
  expect((await service.call('PUT', `projects/${id}/notifications`, { body: settings })).status).toBe(200);
  expect(await sendTest(service, id)).toEqual({
    ...failure('email', 'mail_server_unreachable'),
    sent: ['webhook'],
  });
  expect(chat.texts).toHaveLength(1);
});

describe('a test message with a channel that cannot work on this server', () => {
  const noMailServer = failure('email', 'no_mail_server');

  async function openProject(
    settings: object,
    config: ConfigInput = {},
  ): Promise<{ service: OpenService; id: number }> {
    const service = await openNotifyingService(config);
    const { id } = await createNotifiedProject(service, null);
    expect((await service.call('PUT', `projects/${id}/notifications`, { body: settings })).status).toBe(200);
    return { service, id };
  }
  const email = { enabled: true, to: ['team@shop.example'] };
  const webhook = (url: string) => ({ enabled: true, url, format: 'slack' });

  test('is sent on the other channels, and counts only these', async () => {
    const chat = await startChat();
    const { service, id } = await openProject({ email, webhook: webhook(`http://127.0.0.1:${chat.port}/`) });
    expect(await sendTest(service, id)).toEqual({ ...noMailServer, sent: ['webhook'] });
    expect(chat.texts).toHaveLength(1);
    const { message_hours, outbox } = service.services.store.model.tables;
    expect(message_hours.get(id)).toMatchObject({ sent: 1 });
    await expect.poll(() => outbox.size, polling).toBe(0);
  });

  test('is rejected for a webhook in a private network, also if e-mails can be sent', async () => {
    const { url, mails } = await startMailServer({});
    const { service, id } = await openProject(
      { email, webhook: webhook('http://10.0.0.1/') },
      { smtpUrl: url, allowPrivateWebhooks: false },
    );
    const { status, body } = await service.call('POST', `projects/${id}/notifications/test`);
    expect([status, body.errors]).toEqual([422, [{ path: 'webhook.url', detail: testFailures.private_address }]]);
    expect(mails).toEqual([]);
  });

  test('is rejected with all reasons if no channel can work, and counts nothing', async () => {
    const { service, id } = await openProject(
      { email, webhook: webhook('http://10.0.0.1/') },
      { allowPrivateWebhooks: false },
    );
    const { status, body } = await service.call('POST', `projects/${id}/notifications/test`);
    expect([status, body.code, body.errors]).toEqual([
      422,
      'validation_failed',
      [
        { path: 'email.enabled', detail: testFailures.no_mail_server },
        { path: 'webhook.url', detail: testFailures.private_address },
      ],
    ]);
    expect(service.services.store.model.tables.message_hours.get(id)).toMatchObject({ sent: 0 });
  });
});
