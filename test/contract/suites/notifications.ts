import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import { expect, vi } from 'vitest';
import type { ConfigInput } from '../../../packages/server/src/index.ts';
import type { TestContext } from '../context.ts';
import { startChatSink, startMailSink, type ChatSink, type MailSink } from '../message-sinks.ts';
import type { Suite, ContractTest } from '../suite.ts';

interface Sinks {
  chat: ChatSink;
  mail: MailSink;
  settings: ConfigInput;
}

/** A test on a server of its own, with a chat and a mail server. */
function withSinks(
  test: Omit<ContractTest, 'run'> & { run: (context: TestContext, sinks: Sinks) => Promise<void> },
): ContractTest {
  const { run, ...rest } = test;
  return {
    ...rest,
    needsOwnServer: true,
    async run(context) {
      const [chat, mail] = [await startChatSink(), await startMailSink()];
      const settings = { smtpUrl: mail.url, mailFrom: 'Errors <errors@service.example>', allowPrivateWebhooks: true };
      try {
        await context.restart(settings);
        await run(context, { chat, mail, settings });
      } finally {
        await chat.close();
        await mail.close();
      }
    },
  };
}

/** Has this process resolve names as a test says: by the machine, whose the last word is where private networks are allowed, or by name servers. */
async function withFakeDns(
  by: 'machine' | 'name servers',
  addressOf: (host: string) => string,
  test: () => Promise<void>,
): Promise<void> {
  const unknown = async (): Promise<never> => {
    throw Object.assign(new Error('There is no such name.'), { code: 'ENOTFOUND' });
  };
  const found = async (host: string): Promise<string[]> => [addressOf(host)];
  const spies = [
    vi
      .spyOn(dns, 'lookup')
      .mockImplementation(
        (by === 'machine' ? async (host: string) => [{ address: addressOf(host), family: 4 }] : unknown) as never,
      ),
    vi.spyOn(dns.Resolver.prototype, 'resolve4').mockImplementation((by === 'name servers' ? found : unknown) as never),
    vi.spyOn(dns.Resolver.prototype, 'resolve6').mockImplementation(unknown),
  ];
  syncBuiltinESMExports();
  try {
    await test();
  } finally {
    for (const spy of spies) spy.mockRestore();
    syncBuiltinESMExports();
  }
}

const saveSettings = async (
  context: TestContext,
  { email = false, url = null }: { email?: boolean; url?: string | null },
): Promise<void> => {
  const body = {
    email: { enabled: email, to: email ? ['team@shop.example', 'ops@shop.example'] : [] },
    webhook: { enabled: url !== null, url, format: 'slack' },
  };
  expect(
    await context.send(200, 'PUT', `projects/${await context.fixture('project')}/notifications`, { body }),
  ).toEqual(body);
};

/** Who is told. */
export const notifications: Suite = {
  name: 'notifications',
  tests: [
    {
      title: 'settings are read and written, and wrong ones refused',
      covers: ['notify.settings', 'notify.settings.wrong', 'notify.masked'],
      async run(context) {
        const path = `projects/${await context.fixture('project')}/notifications`;
        const nobody = {
          email: { enabled: false, to: [] },
          webhook: { enabled: false, url: null, format: 'slack' },
        };
        expect(await context.send(200, 'GET', path)).toEqual(nobody);
        const body = {
          email: { enabled: true, to: ['a@b.example'] },
          webhook: { enabled: true, url: 'https://hooks.example/services/T0/secret-part', format: 'mattermost' },
        };
        expect(await context.send(200, 'PUT', path, { body })).toEqual(body);
        expect(await context.send(200, 'GET', path)).toEqual(body);
        const seen = await context.call('GET', path, { token: await context.fixture('viewer') });
        expect(seen.body.webhook).toMatchObject({ enabled: true, format: 'mattermost' });
        expect(seen.text).not.toContain('secret-part');
        for (const wrong of [
          { ...nobody, email: { enabled: true, to: [] } },
          { ...nobody, email: { enabled: true, to: ['no address'] } },
          { ...nobody, email: { enabled: true, to: ['a@b.example\r\nBcc: c@d.example'] } },
          { ...nobody, webhook: { enabled: true, url: null, format: 'slack' } },
          { ...nobody, webhook: { enabled: true, url: 'ftp://hooks.example/', format: 'slack' } },
          { ...nobody, webhook: { enabled: true, url: 'http://user:password@hooks.example/', format: 'slack' } },
          { ...nobody, webhook: { enabled: true, url: 'https://hooks.example/', format: 'irc' } },
          { email: nobody.email },
          { ...nobody, sms: {} },
        ])
          expect(await context.outcome('PUT', path, { body: wrong }), JSON.stringify(wrong)).toBe('validation_failed');
        expect(await context.send(200, 'GET', path)).toEqual(body);
      },
    },
    withSinks({
      title: 'a new group and a returning one are told once, by mail and by chat',
      covers: ['notify.new', 'notify.reopened', 'notify.repeat', 'notify.link', 'notify.escaped'],
      async run(context, { chat, mail }) {
        // A name must not become a header.
        const body = { name: 'Shop\r\nBcc: spy@b.example' };
        await context.send(200, 'PUT', `projects/${await context.fixture('project')}`, { body });
        await saveSettings(context, { email: true, url: chat.url });
        const fields = {
          message: 'Total is <b>NaN</b> & "gone"',
          type: 'CartError',
          event_id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
          release: '1.2.3',
        };
        const { error_group_id: id } = await context.createReport(fields);
        for (let time = 0; time < 3; time++) await context.createReport(fields);
        await context.createReport({ ...fields, event_id: undefined });
        await context.waitUntil(async () => chat.texts.length === 1 && mail.mails.length === 1);
        expect(mail.mails[0]?.to).toEqual(['team@shop.example', 'ops@shop.example']);
        for (const part of ['New error', 'CartError', '1.2.3', `/groups/${id}`]) {
          expect(chat.texts[0]).toContain(part);
          expect(mail.mails[0]?.text).toContain(part);
        }
        const link = /https?:\/\/[^|]+/.exec(chat.texts[0] ?? '')?.[0] ?? '';
        expect((await context.server.fetch(new Request(link))).headers.get('content-type')).toContain('text/html');
        expect(chat.texts[0]).toContain('&lt;b&gt;NaN&lt;/b&gt; &amp;');
        expect(mail.mails[0]?.text.split('<!doctype html>')[1]).not.toContain('<b>');
        expect(mail.mails[0]?.text).not.toMatch(/^Bcc:/im);

        await context.send(200, 'PATCH', `errors/${id}/status`, { body: { status: 'resolved' } });
        for (let time = 0; time < 3; time++) await context.createReport({ ...fields, event_id: undefined });
        await context.waitUntil(async () => chat.texts.length === 2 && mail.mails.length === 2);
        expect(chat.texts[1]).toContain('It is back');
        // Whatever else would come stands behind it.
        await context.send(202, 'POST', `projects/${await context.fixture('project')}/notifications/test`);
        await context.waitUntil(async () => chat.texts.length > 2 && mail.mails.length > 2);
        expect(chat.texts[2]).toContain('test');
        expect([chat.texts.length, mail.mails.length]).toEqual([3, 3]);
      },
    }),
    withSinks({
      title: 'past 60 an hour they are counted, and reports go on as fast',
      covers: ['notify.cap', 'notify.dead'],
      targets: ['memory'],
      controlsClock: true,
      async run(context, { chat }) {
        chat.status = null;
        await saveSettings(context, { url: chat.url });
        const letters = 'abcdefghijklmnopqrstuvwxyz';
        for (let index = 0; index < 70; index++) {
          const word = `${letters[index % 26]}${letters[Math.floor(index / 26)]}`.repeat(3);
          await context.createReport({ message: `Word ${word} is wrong`, type: `Kind${word}Error` });
        }
        // A channel that never answers holds up nobody.
        chat.status = 200;
        chat.dropConnections();
        await context.waitUntil(async () => chat.texts.length >= 60);
        expect(new Set(chat.texts).size).toBe(60);
        vi.setSystemTime(Date.now() + 3_600_000);
        await context.createReport({ message: 'Of another hour' });
        const isNext = (text: string): boolean => text.includes('Of another hour');
        await context.waitUntil(async () => chat.texts.some(isNext));
        expect(chat.texts.find(isNext)).toContain('10 more messages were left out');
      },
    }),
    withSinks({
      title: 'what could not be delivered is delivered later, also after a restart',
      covers: ['notify.durable', 'notify.retry'],
      targets: ['file', 'sqlite', 'program'],
      timeoutMs: 60_000,
      async run(context, { chat, settings }) {
        chat.status = 500;
        await saveSettings(context, { url: chat.url });
        await context.createReport();
        await context.waitUntil(async () => chat.texts.length === 1);
        await context.restart(settings);
        chat.status = 200;
        await context.waitUntil(async () => chat.texts.length === 2);
        // Where it listens may have changed.
        const [before, after] = chat.texts.map((text) => text.replaceAll(/:\d+\//g, '/'));
        expect(after).toBe(before);
      },
    }),
    withSinks({
      title: 'a redirect of a webhook is not followed',
      covers: ['notify.redirect'],
      async run(context, { chat }) {
        const elsewhere = await startChatSink();
        try {
          Object.assign(chat, { status: 307, location: elsewhere.url });
          await saveSettings(context, { url: chat.url });
          await context.createReport();
          await context.createReport({ message: 'Another thing' });
          // Messages go one after the other: with the second, the first is over.
          await context.waitUntil(async () => chat.texts.length === 2);
          expect(elsewhere.texts).toEqual([]);
        } finally {
          await elsewhere.close();
        }
      },
    }),
    {
      title: 'a webhook into a private network is refused, under whatever name',
      covers: ['notify.private', 'notify.test.refused'],
      async run(context) {
        const chat = await startChatSink();
        try {
          const { port } = new URL(chat.url);
          for (const host of [
            '127.0.0.1',
            'localhost',
            '[::1]',
            '0.0.0.0',
            '127.1',
            '2130706433',
            '0x7f000001',
            '[::ffff:127.0.0.1]',
            '[::ffff:7f00:1]',
            '10.0.0.1',
            '172.16.3.4',
            '192.168.1.1',
            '169.254.169.254',
            '100.64.0.1',
            '[fe80::1]',
            '[fd00::1]',
            '[64:ff9b::7f00:1]',
          ]) {
            await saveSettings(context, { url: `http://${host}:${port}/` });
            const path = `projects/${await context.fixture('project')}/notifications/test`;
            const { status, body } = await context.call('POST', path);
            expect([host, status, body.code]).toEqual([host, 422, 'validation_failed']);
            expect(body.errors).toMatchObject([{ path: 'webhook.url' }]);
          }
          await context.createReport();
          expect(chat.texts).toEqual([]);
        } finally {
          await chat.close();
        }
      },
    },
    withSinks({
      title: 'the address of a webhook is looked up once for a message, and what was checked is what is connected to',
      covers: ['notify.rebinding'],
      // Names are resolved in this process.
      targets: ['memory'],
      async run(context, { chat }) {
        const answers = ['127.0.0.1'];
        await withFakeDns(
          'machine',
          () => answers.shift() ?? '192.0.2.1',
          async () => {
            await saveSettings(context, { url: chat.url.replace('127.0.0.1', 'hooks.example') });
            await context.createReport();
            await context.waitUntil(async () => chat.texts.length === 1);
          },
        );
      },
    }),
    {
      title: 'a name that was public when it was set, and leads into a private network later, is refused then',
      covers: ['notify.rebinding', 'notify.private'],
      targets: ['memory'],
      needsOwnServer: true,
      async run(context) {
        const chat = await startChatSink();
        let asked = 0;
        try {
          await withFakeDns(
            'name servers',
            () => (++asked === 1 ? '93.184.215.14' : '127.0.0.1'),
            async () => {
              await saveSettings(context, { url: chat.url.replace('127.0.0.1', 'hooks.example') });
              await context.send(202, 'POST', `projects/${await context.fixture('project')}/notifications/test`);
              await context.createReport();
              // Messages go one after the other: once the name is asked for of the second, the first is over.
              await context.waitUntil(async () => asked >= 3);
              expect(chat.texts).toEqual([]);
            },
          );
        } finally {
          await chat.close();
        }
      },
    },
    withSinks({
      title: 'a test message that a channel does not take is answered with the reason',
      covers: ['notify.test.failed'],
      async run(context, { chat }) {
        chat.status = 500;
        await saveSettings(context, { email: true, url: chat.url });
        const path = `projects/${await context.fixture('project')}/notifications/test`;
        expect(await context.send(202, 'POST', path)).toEqual({
          sent: ['email'],
          failed: [
            {
              channel: 'webhook',
              reason: 'webhook_rejected',
              detail: 'The webhook rejected the message with status 500.',
            },
          ],
        });
        // A test is tried once.
        expect(chat.texts).toHaveLength(1);
      },
    }),
    withSinks({
      title: 'a test message goes by every way that is enabled',
      covers: ['notify.test', 'notify.test.cap'],
      async run(context, { chat, mail }) {
        const path = `projects/${await context.fixture('project')}/notifications/test`;
        expect(await context.send(202, 'POST', path)).toEqual({ sent: [] });
        await saveSettings(context, { email: true });
        expect(await context.send(202, 'POST', path)).toEqual({ sent: ['email'] });
        await saveSettings(context, { email: true, url: chat.url });
        expect(await context.send(202, 'POST', path)).toEqual({ sent: ['email', 'webhook'] });
        await context.waitUntil(async () => chat.texts.length === 1 && mail.mails.length === 2);

        for (let sent = 3; sent < 59; sent += 2) await context.send(202, 'POST', path);
        const late = await context.call('POST', path);
        expect([late.status, late.body.code]).toEqual([429, 'too_many_requests']);
        expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(3_000);
      },
    }),
  ],
};
