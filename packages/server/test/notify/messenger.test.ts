import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ResolveHost } from '../../src/notify/target.ts';
import { endAll, openFailingDriver, openTelling, startChat, startSilence, tellOf } from './told.ts';

afterEach(endAll);

const patience = { timeout: 10_000, interval: 10 };

/** A name server that points a name to one address after the other, and from then on to the last of them. */
function nameServer(...answers: string[][]): { resolveHost: ResolveHost; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    async resolveHost(host) {
      asked.push(host);
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      return (answer ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
  };
}

/** Somewhere in the internet, as far as the server can tell. */
const publicAddress = '93.184.215.14';

describe('a name that changes its mind', () => {
  test('is asked once for a message, and the address that was checked is the one that is connected to', async () => {
    const chat = await startChat();
    const { resolveHost, asked } = nameServer(['127.0.0.1'], ['192.0.2.1']);
    const service = await openTelling({}, { resolveHost });
    const project = await tellOf(service, `http://hooks.example:${chat.port}/`);
    await project.report('It broke');
    await expect.poll(() => chat.texts.length, patience).toBe(1);
    expect(asked).toEqual(['hooks.example']);
  });

  test('is checked again for each message: public for the test, private for what comes after it', async () => {
    const chat = await startChat();
    const { resolveHost, asked } = nameServer([publicAddress], ['127.0.0.1']);
    const service = await openTelling({ allowPrivateWebhooks: false }, { resolveHost });
    const warned = vi.spyOn(service.services.log, 'warn');
    const project = await tellOf(service, `http://hooks.example:${chat.port}/`);
    const { status } = await service.call('POST', `projects/${project.id}/notifications/test`);
    expect(status).toBe(202);
    await expect.poll(() => warned.mock.calls.length, patience).toBe(1);
    expect(warned.mock.calls[0]).toMatchObject([{ err: { name: 'RefusedTargetError' } }, /not delivered/]);
    expect(asked).toHaveLength(2);
    expect(chat.texts).toEqual([]);
  });

  test('is refused if one of its addresses is private', async () => {
    const { resolveHost } = nameServer([publicAddress, '10.0.0.1']);
    const service = await openTelling({ allowPrivateWebhooks: false }, { resolveHost });
    const { id } = await tellOf(service, 'https://hooks.example/');
    const { status, body } = await service.call('POST', `projects/${id}/notifications/test`);
    expect([status, body.errors]).toMatchObject([422, [{ path: 'webhook.url' }]]);
  });

  test('is refused at whatever is not the internet', async () => {
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
    const { resolveHost } = nameServer(...addresses.map((address) => [address]));
    const service = await openTelling({ allowPrivateWebhooks: false }, { resolveHost });
    const { id } = await tellOf(service, 'https://hooks.example/');
    for (const address of addresses)
      expect((await service.call('POST', `projects/${id}/notifications/test`)).status, address).toBe(422);
  });
});

test('a way that takes nothing holds up neither reports nor other projects', async () => {
  const [dead, chat] = [await startChat(false), await startChat()];
  const service = await openTelling();
  const [one, other] = [
    await tellOf(service, `http://127.0.0.1:${dead.port}/`),
    await tellOf(service, `http://127.0.0.1:${chat.port}/`),
  ];
  for (let index = 0; index < 40; index++) await one.report(`Kind ${'ab'.repeat(index + 1)}`);
  await other.report('Of another project');
  await expect.poll(() => chat.texts.length, patience).toBe(1);
  // Of one way one at a time: it is not to be overrun when it is well again.
  expect(dead.texts).toHaveLength(1);
});

test('messages of one way keep their order', async () => {
  const chat = await startChat();
  const service = await openTelling();
  const project = await tellOf(service, `http://127.0.0.1:${chat.port}/`);
  const words = ['apple', 'banana', 'cherry', 'damson', 'elder', 'fig'];
  await Promise.all(words.map((word) => project.report(`A ${word} is rotten`)));
  await expect.poll(() => chat.texts.length, patience).toBe(words.length);
  expect(chat.texts.map((text) => words.findIndex((word) => text.includes(word)))).toEqual([...words.keys()]);
});

test('what was delivered while the storage fails is not delivered again', async () => {
  let isFailing = false;
  const chat = await startChat();
  const driver = await openFailingDriver(() => isFailing);
  const service = await openTelling({}, { driver });
  const { outbox } = service.services.store.model.tables;
  const warned = vi.spyOn(service.services.log, 'warn');
  const project = await tellOf(service, `http://127.0.0.1:${chat.port}/`);
  await project.report('It broke');
  await expect.poll(() => chat.texts.length, patience).toBe(1);
  await expect.poll(() => outbox.size, patience).toBe(0);
  const { push } = chat.texts;
  // The disk fails from the moment in which the chat has the message.
  chat.texts.push = (...texts) => {
    isFailing = true;
    return push.apply(chat.texts, texts);
  };
  await project.report('Another thing');
  await expect.poll(() => warned.mock.calls.flat().join(' '), patience).toContain('the outbox could not be written');
  isFailing = false;
  await expect.poll(() => outbox.size, patience).toBe(0);
  expect(chat.texts).toHaveLength(2);
});

test('a mail server that says nothing does not hold a server that stops', async () => {
  const service = await openTelling({ smtpUrl: `smtp://127.0.0.1:${await startSilence()}` });
  const project = await tellOf(service, null);
  await project.report('It broke');
  const began = performance.now();
  await service.close();
  expect(performance.now() - began).toBeLessThan(5_000);
});

test('a server that stops lets a message that is under way arrive, so that it is told once', async () => {
  const chat = await startChat();
  const service = await openTelling();
  const project = await tellOf(service, `http://127.0.0.1:${chat.port}/`);
  await project.report('It broke');
  const { outbox } = service.services.store.model.tables;
  await service.close();
  expect(chat.texts).toHaveLength(1);
  expect(outbox.size).toBe(0);
});

test('what is left out of an hour is counted in a few bytes, and test messages count, too', async () => {
  const chat = await startChat();
  const service = await openTelling();
  const { notifications, message_hours } = service.services.store.model.tables;
  const project = await tellOf(service, `http://127.0.0.1:${chat.port}/`);
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
