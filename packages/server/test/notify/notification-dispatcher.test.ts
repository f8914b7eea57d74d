import { setTimeout as sleep } from 'node:timers/promises';
import { defaultNotifications } from '@service/protocol';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { LookupQueueTimeoutError } from '../../src/outgoing/name-lookup.ts';
import { postWebhook } from '../../src/notify/channels/post-webhook.ts';
import type { ResolveHost } from '../../src/outgoing/resolve-host.ts';
import type { Destination } from '../../src/notify/channels/notification-channel.ts';
import { DeliveryLimiter, maxConcurrentDeliveries } from '../../src/notify/delivery-limiter.ts';
import {
  closeAll,
  openFailingDriver,
  openNotifyingService,
  startChat,
  startMailServer,
  startSilentServer,
  createNotifiedProject,
} from './notified-project.ts';

afterEach(closeAll);

const polling = { interval: 10 };

/** Returns a name server that responds to each lookup with the next addresses, and then repeats the last ones. */
function fakeNameServer(...lookups: string[][]): { resolveHost: ResolveHost; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    async resolveHost(host) {
      asked.push(host);
      const addresses = lookups.length > 1 ? lookups.shift() : lookups[0];
      return (addresses ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
  };
}

/** Returns a name server on this machine whose first lookup times out in the queue. */
function lateNameServer(): { resolveHost: ResolveHost; asked: string[] } {
  const { resolveHost, asked } = fakeNameServer(['127.0.0.1']);
  return {
    asked,
    async resolveHost(host, ...others) {
      const addresses = await resolveHost(host, ...others);
      if (asked.length === 1) throw new LookupQueueTimeoutError('Too many other names are looked up.');
      return addresses;
    },
  };
}

/** An address that the server regards as public. */
const publicAddress = '93.184.215.14';

describe('a webhook host that changes its address', () => {
  test('a webhook host is resolved once per message, and the checked address is used', async () => {
    const chat = await startChat();
    const { resolveHost, asked } = fakeNameServer(['127.0.0.1'], ['192.0.2.1']);
    const service = await openNotifyingService({}, { resolveHost });
    const project = await createNotifiedProject(service, `http://hooks.example:${chat.port}/`);
    await project.report('It broke');
    await expect.poll(() => chat.texts.length, polling).toBe(1);
    expect(asked).toEqual(['hooks.example']);
  });

  test('a webhook host is checked again for each message', async () => {
    const chat = await startChat();
    const { resolveHost, asked } = fakeNameServer([publicAddress], ['127.0.0.1']);
    const service = await openNotifyingService({ allowPrivateWebhooks: false }, { resolveHost });
    const warned = vi.spyOn(service.services.log, 'warn');
    const project = await createNotifiedProject(service, `http://hooks.example:${chat.port}/`);
    const { status } = await service.call('POST', `projects/${project.id}/notifications/test`);
    expect(status).toBe(202);
    await expect.poll(() => warned.mock.calls.length, polling).toBe(1);
    expect(warned.mock.calls[0]).toMatchObject([
      { err: { name: 'RejectedTargetError' } },
      expect.stringMatching(/not delivered/),
    ]);
    expect(asked).toHaveLength(2);
    expect(chat.texts).toEqual([]);
  });

  test('a webhook host is rejected if one of its addresses is private', async () => {
    const { resolveHost } = fakeNameServer([publicAddress, '10.0.0.1']);
    const service = await openNotifyingService({ allowPrivateWebhooks: false }, { resolveHost });
    const { id } = await createNotifiedProject(service, 'https://hooks.example/');
    const { status, body } = await service.call('POST', `projects/${id}/notifications/test`);
    expect([status, body.errors]).toMatchObject([422, [{ path: 'webhook.url' }]]);
  });

  test('a webhook host is rejected in every spelling of a private address', async () => {
    const addresses = [
      '::1',
      '::ffff:10.0.0.1',
      '::ffff:a00:1',
      '::ffff:0:a00:1',
      'fe80::1',
      '64:ff9b::a00:1',
      '2002:a00:1::',
      '100.64.9.9',
    ];
    const { resolveHost } = fakeNameServer(...addresses.map((address) => [address]));
    const service = await openNotifyingService({ allowPrivateWebhooks: false }, { resolveHost });
    const { id } = await createNotifiedProject(service, 'https://hooks.example/');
    for (const address of addresses)
      expect((await service.call('POST', `projects/${id}/notifications/test`)).status, address).toBe(422);
  });
});

test('a webhook that never responds blocks neither reports nor other projects', async () => {
  const [dead, chat] = [await startChat(false), await startChat()];
  const service = await openNotifyingService();
  const [one, other] = [
    await createNotifiedProject(service, `http://127.0.0.1:${dead.port}/`),
    await createNotifiedProject(service, `http://127.0.0.1:${chat.port}/`),
  ];
  for (let index = 0; index < 40; index++) await one.report(`Kind ${'ab'.repeat(index + 1)}`);
  await expect.poll(() => dead.texts.length, polling).toBeGreaterThan(0);
  await other.report('In another project');
  await expect.poll(() => chat.texts.length, polling).toBe(1);
  // Each destination gets one message at a time, so that it is not flooded when it recovers.
  expect(dead.texts).toHaveLength(1);
});

test('messages to one webhook keep their order', async () => {
  const chat = await startChat();
  const service = await openNotifyingService();
  const project = await createNotifiedProject(service, `http://127.0.0.1:${chat.port}/`);
  const words = ['apple', 'banana', 'cherry', 'damson', 'elder', 'fig'];
  await Promise.all(words.map((word) => project.report(`A ${word} is rotten`)));
  await expect.poll(() => chat.texts.length, polling).toBe(words.length);
  expect(chat.texts.map((text) => words.findIndex((word) => text.includes(word)))).toEqual([...words.keys()]);
});

test('a message that is delivered while the storage fails is not delivered again', async () => {
  let isFailing = false;
  const chat = await startChat();
  const driver = await openFailingDriver(() => isFailing);
  const service = await openNotifyingService({}, { driver });
  const { outbox } = service.services.store.model.tables;
  const warned = vi.spyOn(service.services.log, 'warn');
  const project = await createNotifiedProject(service, `http://127.0.0.1:${chat.port}/`);
  await project.report('It broke');
  await expect.poll(() => chat.texts.length, polling).toBe(1);
  await expect.poll(() => outbox.size, polling).toBe(0);
  const { push } = chat.texts;
  // The disk fails as soon as the chat has received the message.
  chat.texts.push = (...texts) => {
    isFailing = true;
    return push.apply(chat.texts, texts);
  };
  await project.report('Another thing');
  await expect.poll(() => warned.mock.calls.flat().join(' '), polling).toContain('the outbox could not be written');
  isFailing = false;
  await expect.poll(() => outbox.size, polling).toBe(0);
  expect(chat.texts).toHaveLength(2);
});

test('close() does not wait for a mail server that never responds', async () => {
  const silent = await startSilentServer();
  const service = await openNotifyingService({ smtpUrl: `smtp://127.0.0.1:${silent.port}` });
  const project = await createNotifiedProject(service, null);
  await project.report('It broke');
  await expect.poll(() => silent.open.size, polling).toBe(1);
  await service.close();
  // If close() waited for the mail, nodemailer would have closed the connection by now.
  await sleep(200);
  expect(silent.open.size).toBe(1);
});

test('close() waits for a message in flight, so that it is delivered once', async () => {
  const chat = await startChat();
  const service = await openNotifyingService();
  const project = await createNotifiedProject(service, `http://127.0.0.1:${chat.port}/`);
  await project.report('It broke');
  const { outbox } = service.services.store.model.tables;
  await service.close();
  expect(chat.texts).toHaveLength(1);
  expect(outbox.size).toBe(0);
});

test('messages above the hourly limit are only counted, and test messages share the limit', async () => {
  const chat = await startChat();
  const service = await openNotifyingService();
  const { notifications, message_hours } = service.services.store.model.tables;
  const project = await createNotifiedProject(service, `http://127.0.0.1:${chat.port}/`);
  const sendTest = () => service.call('POST', `projects/${project.id}/notifications/test`);
  for (let time = 0; time < 60; time++) expect((await sendTest()).status).toBe(202);
  const late = await sendTest();
  expect([late.status, late.body.code]).toEqual([429, 'too_many_requests']);
  expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(3_500);
  const { version } = notifications;
  for (const word of ['ab', 'cd', 'ef']) await project.report(`A ${word} is rotten`);
  expect(notifications.version).toBe(version);
  expect(message_hours.get(project.id)).toMatchObject({ sent: 60, left_out: 3 });
  await service.call('DELETE', `projects/${project.id}`);
  expect(message_hours.size).toBe(0);
});

describe('webhooks that accept a connection and never respond', () => {
  test('many webhooks that never respond do not block other projects', async () => {
    const chat = await startChat();
    const dead = await Promise.all(Array.from({ length: 34 }, () => startChat(false)));
    const service = await openNotifyingService();
    const other = await createNotifiedProject(service, `http://127.0.0.1:${chat.port}/`);
    await other.report('Before the hanging ones');
    await expect.poll(() => chat.texts.length, polling).toBe(1);
    for (const { port } of dead)
      await (await createNotifiedProject(service, `http://127.0.0.1:${port}/`)).report('It broke');
    await expect.poll(() => dead.every(({ texts }) => texts.length === 1), polling).toBe(true);
    const [late, fresh] = [other, await createNotifiedProject(service, `http://127.0.0.1:${chat.port}/`)];
    await late.report('While they hang');
    await fresh.report('In a new project');
    await expect.poll(() => chat.texts.length, { interval: 10 }).toBe(3);
  });

  test('webhooks with one origin that never responds use one delivery', async () => {
    const [dead, chat] = [await startChat(false), await startChat()];
    const service = await openNotifyingService();
    for (let index = 0; index < 34; index++)
      await (await createNotifiedProject(service, `http://127.0.0.1:${dead.port}/${index}`)).report('It broke');
    await expect.poll(() => dead.texts.length, polling).toBeGreaterThan(0);
    await (await createNotifiedProject(service, `http://127.0.0.1:${chat.port}/`)).report('In another project');
    await expect.poll(() => chat.texts.length, polling).toBe(1);
    expect(dead.texts).toHaveLength(1);
  });
});

test('a lookup that times out in the queue does not count as a failed attempt of its message', async () => {
  let ahead = 0;
  const chat = await startChat();
  const { resolveHost, asked } = lateNameServer();
  const service = await openNotifyingService({}, { now: () => Date.now() + ahead, resolveHost });
  const { outbox } = service.services.store.model.tables;
  const project = await createNotifiedProject(service, `http://hooks.example:${chat.port}/`);
  const reportedAt = Date.now();
  await project.report('It broke');
  await expect
    .poll(() => [...outbox.values()].map(({ due_at }) => due_at > reportedAt + 4_000), polling)
    .toEqual([true]);
  expect([...outbox.values()]).toMatchObject([{ failed: 0 }]);
  ahead = 10_000;
  await expect.poll(() => chat.texts.length, polling).toBe(1);
  expect(asked).toHaveLength(2);
});

test('a message that is not sent, because its group was deleted, does not prove its webhook', async () => {
  let ahead = 0;
  const dead = await startChat(false);
  const { resolveHost, asked } = lateNameServer();
  const service = await openNotifyingService({}, { now: () => Date.now() + ahead, resolveHost });
  const { outbox } = service.services.store.model.tables;
  const project = await createNotifiedProject(service, `http://hooks.example:${dead.port}/`);
  await project.report('It broke');
  await expect.poll(() => asked.length, polling).toBe(1);
  await service.call('DELETE', 'errors/1');
  ahead = 10_000;
  await expect.poll(() => outbox.size, polling).toBe(0);

  for (let index = 0; index < 3; index++)
    await (await createNotifiedProject(service, `http://hooks.example:${dead.port}/${index}`)).report('It broke');
  await expect.poll(() => dead.texts.length, polling).toBe(1);
  await sleep(50);
  expect(dead.texts).toHaveLength(1);
});

test('DeliveryLimiter reserves deliveries for destinations that accepted their last message quickly', () => {
  const limiter = new DeliveryLimiter();
  const to = (key: string, isTrusted = false): Destination => ({ key, isTrusted });
  limiter.begin(to('proven'))(true);
  limiter.begin(to('proven'))(null);
  let started = 0;
  for (; limiter.hasRoom(to(`silent ${started}`)); started++) limiter.begin(to(`silent ${started}`));
  expect(started).toBeLessThan(maxConcurrentDeliveries - 8);
  expect(limiter.hasRoom(to('proven'))).toBe(true);
  expect(limiter.hasRoom(to('unknown'))).toBe(false);
  expect(limiter.hasRoom(to('email', true))).toBe(true);
});

describe('a name server that does not respond', () => {
  test('a webhook lookup without a response ends at the delivery timeout', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const stop = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const late = new AbortController();
      setTimeout(() => late.abort(new Error('late')), ms);
      return late.signal;
    });
    try {
      const silent = { config: { allowPrivateWebhooks: true }, resolveHost: () => new Promise<never>(() => undefined) };
      const sending = postWebhook(
        silent as never,
        { url: 'http://hooks.example/', body: {} },
        new AbortController().signal,
      );
      const outcome = sending.catch(String);
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await outcome).toContain('expected a host that has an address');
    } finally {
      stop.mockRestore();
      vi.useRealTimers();
    }
  });

  test('concurrent test messages cause at most as many lookups as the hourly limit allows', async () => {
    let asked = 0;
    let respond = (): void => undefined;
    const hasResponded = new Promise<void>((resolve) => (respond = resolve));
    const service = await openNotifyingService(
      {},
      {
        async resolveHost() {
          asked++;
          await hasResponded;
          throw new Error('no such host');
        },
      },
    );
    const { id } = await createNotifiedProject(service, 'http://hooks.example/');
    const path = `projects/${id}/notifications/test`;
    const tests = Array.from({ length: 70 }, () => service.call('POST', path));
    await expect.poll(() => asked, polling).toBe(60);
    respond();
    const statuses = (await Promise.all(tests)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 422)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    // A rejected message is not sent, so it does not count.
    expect(service.services.store.model.tables.message_hours.get(id)).toMatchObject({ sent: 0 });
  });
});

test('a project sends at most 60 messages in any hour', async () => {
  let now = Date.parse('2026-11-20T09:00:00.000Z');
  const service = await openNotifyingService(
    {},
    { now: () => now, resolveHost: async () => [{ address: '127.0.0.1', family: 4 }] },
  );
  const chat = await startChat();
  const { id } = await createNotifiedProject(service, `http://127.0.0.1:${chat.port}/`);
  const tests = async (count: number): Promise<number[]> => {
    const statuses: number[] = [];
    for (let time = 0; time < count; time++)
      statuses.push((await service.call('POST', `projects/${id}/notifications/test`)).status);
    return statuses;
  };
  expect(await tests(2)).toEqual([202, 202]);
  now += 59 * 60_000;
  expect(new Set(await tests(58))).toEqual(new Set([202]));
  now += 60_000;
  expect(await tests(3)).toEqual([202, 202, 429]);
  now += 59 * 60_000;
  expect(new Set(await tests(58))).toEqual(new Set([202]));
  expect(await tests(1)).toEqual([429]);
});

describe('recipients that a mail server rejects', () => {
  test('a mail is retried only for temporarily rejected recipients, and permanent rejections are logged', async () => {
    const mail = await startMailServer({ 'busy@shop.example': [451], 'gone@shop.example': [550, 550] });
    let ahead = 0;
    const service = await openNotifyingService({ smtpUrl: mail.url }, { now: () => Date.now() + ahead });
    const warned = vi.spyOn(service.services.log, 'warn');
    const project = await createNotifiedProject(service, null, [
      'team@shop.example',
      'busy@shop.example',
      'gone@shop.example',
    ]);
    await project.report('It broke');
    await expect.poll(() => warned.mock.calls.length, polling).toBe(2);
    ahead = 5_000;
    await expect.poll(() => mail.mails.length, polling).toBe(2);
    expect(mail.mails).toEqual([['team@shop.example'], ['busy@shop.example']]);
    await expect.poll(() => service.services.store.model.tables.outbox.size, polling).toBe(0);
    expect(warned.mock.calls).toMatchObject([
      [{ recipients: 1 }, expect.stringMatching(/permanently rejected/)],
      [{ way: 'email' }, expect.stringMatching(/not delivered/)],
    ]);
  });
});

test('stored recipients that differ only in case get one mail', async () => {
  const mail = await startMailServer({});
  const service = await openNotifyingService({ smtpUrl: mail.url });
  const project = await createNotifiedProject(service, null);
  const to = ['Ann@shop.example', 'ben@shop.example', 'ann@shop.example'];
  await service.services.store.commit((transaction) =>
    transaction.put('notifications', { ...defaultNotifications, id: project.id, email: { enabled: true, to } }),
  );
  await project.report('It broke');
  await expect.poll(() => mail.mails, polling).toEqual([['Ann@shop.example', 'ben@shop.example']]);
});

test('mails without a mail server are logged and stay in the outbox', async () => {
  const service = await openNotifyingService();
  const warned = vi.spyOn(service.services.log, 'warn');
  const project = await createNotifiedProject(service, null);
  expect(warned.mock.calls).toMatchObject([[{ project_id: project.id }, expect.stringMatching(/SERVICE_SMTP_URL/)]]);
  await project.report('It broke');
  await expect.poll(() => warned.mock.calls.length, polling).toBe(2);
  expect(warned.mock.calls[1]).toMatchObject([
    { err: { message: expect.stringMatching(/SERVICE_SMTP_URL/) } },
    expect.stringMatching(/not delivered/),
  ]);
  expect(service.services.store.model.tables.outbox.size).toBe(1);
});
