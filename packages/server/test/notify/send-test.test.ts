import { testFailures, type TestFailureReason, type TestSent } from '@service/protocol';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { password, signIn } from '../accounts/people.ts';
import type { OpenService } from '../test-utils/services.ts';
import { endAll, openTelling, startChat, startMailServer, startSilence, tellOf } from './notified-project.ts';

afterEach(endAll);
afterEach(() => {
  vi.useRealTimers();
  delays.length = 0;
});

/** Delays of more than ten seconds. They are recorded and end at once. */
const delays = vi.hoisted((): number[] => []);
vi.mock('node:timers/promises', async (load) => {
  const timers = await load<typeof import('node:timers/promises')>();
  return {
    ...timers,
    setTimeout: (ms: number, ...rest: [unknown?, object?]) =>
      ms > 10_000 ? (delays.push(ms), Promise.resolve(rest[0])) : timers.setTimeout(ms, ...rest),
  };
});

const patience = { timeout: 10_000, interval: 10 };

/** A port of this machine that nothing listens on. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function sendTest(service: OpenService, id: number): Promise<TestSent> {
  const { status, body } = await service.call<TestSent>('POST', `projects/${id}/notifications/test`);
  expect(status).toBe(202);
  return body;
}

const failure = (channel: 'email' | 'webhook', reason: TestFailureReason, detail: string = testFailures[reason]) => ({
  sent: [],
  failed: [{ channel, reason, detail }],
});

describe('a test message that a webhook does not take', () => {
  test('is answered with the status of the webhook, and is not tried again', async () => {
    const chat = await startChat(true, 404);
    const service = await openTelling();
    const { id } = await tellOf(service, `http://127.0.0.1:${chat.port}/secret-path`);
    const answer = await sendTest(service, id);
    expect(answer).toEqual(failure('webhook', 'webhook_rejected', 'The webhook rejected the message with status 404.'));
    expect(JSON.stringify(answer)).not.toMatch(/secret-path|127\.0\.0\.1/);
    await expect.poll(() => service.services.store.model.tables.outbox.size, patience).toBe(0);
    expect(chat.texts).toHaveLength(1);
  });

  test('is answered with unreachable if nothing listens there', async () => {
    const service = await openTelling();
    const { id } = await tellOf(service, `http://127.0.0.1:${await closedPort()}/`);
    expect(await sendTest(service, id)).toEqual(failure('webhook', 'webhook_unreachable'));
  });

  test('is answered with private_address if its name points there by then', async () => {
    let asked = 0;
    const service = await openTelling(
      { allowPrivateWebhooks: false },
      { resolveHost: async () => [{ address: asked++ === 0 ? '93.184.215.14' : '127.0.0.1', family: 4 }] },
    );
    const { id } = await tellOf(service, 'http://hooks.example/');
    expect(await sendTest(service, id)).toEqual(failure('webhook', 'private_address'));
  });

  test('tells another team neither why nor how soon it failed where private networks are allowed', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const chat = await startChat(true, 404);
    const service = await openTelling({ registration: 'open' });
    const email = 'eve@figs.example';
    await service.call('POST', 'auth/register', { token: null, body: { email, password } });
    const token = await signIn(service.call, email);
    const answers = await Promise.all(
      [chat.port, await closedPort()].map(async (port) => {
        const { id } = await tellOf(
          { ...service, call: (method, path, options) => service.call(method, path, { token, ...options }) },
          `http://127.0.0.1:${port}/`,
        );
        const { body } = await service.call<TestSent>('POST', `projects/${id}/notifications/test`, { token });
        return body;
      }),
    );
    expect(answers).toEqual([failure('webhook', 'webhook_failed'), failure('webhook', 'webhook_failed')]);
    expect(delays).toEqual([12_000, 12_000]);
  });
});

describe('a test message that a mail server does not take', () => {
  test.each([
    ['recipients_refused', async () => (await startMailServer({ 'team@shop.example': [550] })).url],
    ['recipients_refused', async () => (await startMailServer({ 'team@shop.example': [451] })).url],
    ['mail_server_sign_in', async () => (await startMailServer({})).url.replace('//', '//user:wrong-password@')],
    ['mail_server_unreachable', async () => `smtp://127.0.0.1:${await closedPort()}`],
  ] as const)('is answered with %s', async (reason, start) => {
    const service = await openTelling({ smtpUrl: await start() });
    const { id } = await tellOf(service, null);
    expect(await sendTest(service, id)).toEqual(failure('email', reason));
    await expect.poll(() => service.services.store.model.tables.outbox.size, patience).toBe(0);
  });

  test('is answered as not confirmed when the server stops before the outcome is known', async () => {
    const service = await openTelling({ smtpUrl: `smtp://127.0.0.1:${(await startSilence()).port}` });
    const { id } = await tellOf(service, null);
    const answer = sendTest(service, id);
    const { outbox } = service.services.store.model.tables;
    await expect.poll(() => outbox.size, patience).toBe(1);
    service.services.testOutcomes.close();
    expect(await answer).toEqual(failure('email', 'not_confirmed'));
  });
});

test('a test message tells for each channel whether it was taken', async () => {
  const chat = await startChat();
  const service = await openTelling({ smtpUrl: `smtp://127.0.0.1:${await closedPort()}` });
  const { id } = await tellOf(service, null);
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
