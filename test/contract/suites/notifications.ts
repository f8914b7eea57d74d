import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import { expect, vi } from 'vitest';
import type { ConfigInput } from '../../../packages/server/src/index.ts';
import type { TestContext } from '../context.ts';
import { startChatSink, startMailSink, type ChatSink, type MailSink } from '../notification-sinks.ts';
import { setStatus } from '../set-status.ts';
import type { Suite, ContractTest } from '../suite.ts';

interface Sinks {
  chat: ChatSink;
  mail: MailSink;
  settings: ConfigInput;
}

/** Wraps a test that needs its own server, a chat webhook and a mail server. */
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

/**
 * Fakes name resolution in this process. The server uses the operating system's resolver where private networks are
 * allowed, and name servers elsewhere.
 */
async function withFakeDns(
  resolver: 'system' | 'name servers',
  addressOf: (host: string) => string,
  test: () => Promise<void>,
): Promise<void> {
  const unknown = async (): Promise<never> => {
    throw Object.assign(new Error('Host not found'), { code: 'ENOTFOUND' });
  };
  const found = async (host: string): Promise<string[]> => [addressOf(host)];
  const spies = [
    vi
      .spyOn(dns, 'lookup')
      .mockImplementation(
        (resolver === 'system' ? async (host: string) => [{ address: addressOf(host), family: 4 }] : unknown) as never,
      ),
    vi
      .spyOn(dns.Resolver.prototype, 'resolve4')
      .mockImplementation((resolver === 'name servers' ? found : unknown) as never),
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
  ).toMatchObject(body);
};

/** Messages by mail and chat. */
export const notifications: Suite = {
  name: 'notifications',
  tests: [
    {
      title: 'notification settings can be read and written; invalid ones return 422',
      covers: ['notify.settings', 'notify.settings.wrong', 'notify.masked'],
      async run(context) {
        const path = `projects/${await context.fixture('project')}/notifications`;
        const disabled = {
          email: { enabled: false, to: [] },
          webhook: { enabled: false, url: null, format: 'slack' },
        };
        expect(await context.send(200, 'GET', path)).toMatchObject(disabled);
        const body = {
          email: { enabled: true, to: ['a@b.example'] },
          webhook: { enabled: true, url: 'https://hooks.example/services/T0/secret-part', format: 'mattermost' },
        };
        expect(await context.send(200, 'PUT', path, { body })).toMatchObject(body);
        expect(await context.send(200, 'GET', path)).toMatchObject(body);
        const seen = await context.call('GET', path, { token: await context.fixture('viewer') });
        expect(seen.body.webhook).toMatchObject({ enabled: true, format: 'mattermost' });
        expect(seen.text).not.toContain('secret-part');
        for (const wrong of [
          { ...disabled, email: { enabled: true, to: [] } },
          { ...disabled, email: { enabled: true, to: ['no address'] } },
          { ...disabled, email: { enabled: true, to: ['a@b.example\r\nBcc: c@d.example'] } },
          { ...disabled, webhook: { enabled: true, url: null, format: 'slack' } },
          { ...disabled, webhook: { enabled: true, url: 'ftp://hooks.example/', format: 'slack' } },
          { ...disabled, webhook: { enabled: true, url: 'http://user:password@hooks.example/', format: 'slack' } },
          { ...disabled, webhook: { enabled: true, url: 'https://hooks.example/', format: 'irc' } },
          { email: disabled.email },
          { ...disabled, sms: {} },
        ])
          expect(await context.outcome('PUT', path, { body: wrong }), JSON.stringify(wrong)).toBe('validation_failed');
        expect(await context.send(200, 'GET', path)).toMatchObject(body);
      },
    },
    withSinks({
      title: 'a new or reopened group sends one message by mail and chat',
      covers: ['notify.new', 'notify.reopened', 'notify.repeat', 'notify.link', 'notify.escaped'],
      async run(context, { chat, mail }) {
        // A line break in the project name must not add a mail header.
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

        await setStatus(context, id, 'resolved');
        for (let time = 0; time < 3; time++) await context.createReport({ ...fields, event_id: undefined });
        await context.waitUntil(async () => chat.texts.length === 2 && mail.mails.length === 2);
        expect(chat.texts[1]).toContain('Reopened error');
        // Messages are sent in order, so after the test message no other one is pending.
        await context.send(202, 'POST', `projects/${await context.fixture('project')}/notifications/test`);
        await context.waitUntil(async () => chat.texts.length > 2 && mail.mails.length > 2);
        expect(chat.texts[2]).toContain('test');
        expect([chat.texts.length, mail.mails.length]).toEqual([3, 3]);
      },
    }),
    withSinks({
      title: 'messages over 60 an hour are counted, and a dead channel does not delay reports',
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
        // All reports above were accepted while the channel never responded.
        chat.status = 200;
        chat.dropConnections();
        await context.waitUntil(async () => chat.texts.length >= 60);
        expect(new Set(chat.texts).size).toBe(60);
        vi.setSystemTime(Date.now() + 3_600_000);
        await context.createReport({ message: 'Of another hour' });
        const isNext = (text: string): boolean => text.includes('Of another hour');
        await context.waitUntil(async () => chat.texts.some(isNext));
        expect(chat.texts.find(isNext)).toContain('10 more messages were skipped');
      },
    }),
    withSinks({
      title: 'a failed delivery is retried, even after a restart',
      covers: ['notify.durable', 'notify.retry'],
      targets: ['file', 'sqlite', 'program'],
      async run(context, { chat, settings }) {
        chat.status = 500;
        await saveSettings(context, { url: chat.url });
        await context.createReport();
        await context.waitUntil(async () => chat.texts.length === 1);
        await context.restart(settings);
        chat.status = 200;
        await context.waitUntil(async () => chat.texts.length === 2);
        // The server may listen on another port after the restart.
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
          // Messages are sent one after the other, so the second means that the first is done.
          await context.waitUntil(async () => chat.texts.length === 2);
          expect(elsewhere.texts).toEqual([]);
        } finally {
          await elsewhere.close();
        }
      },
    }),
    {
      title: 'a webhook into a private network is rejected in every spelling of its address',
      covers: ['notify.private', 'notify.test.rejected'],
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
      title: 'the host of a webhook is resolved once per message, and the checked address is connected to',
      covers: ['notify.rebinding'],
      // Only a server in this process uses the fake resolver.
      targets: ['memory'],
      async run(context, { chat }) {
        const responses = ['127.0.0.1'];
        await withFakeDns(
          'system',
          () => responses.shift() ?? '192.0.2.1',
          async () => {
            await saveSettings(context, { url: chat.url.replace('127.0.0.1', 'hooks.example') });
            await context.createReport();
            await context.waitUntil(async () => chat.texts.length === 1);
          },
        );
      },
    }),
    {
      title: 'a webhook host that later resolves to a private address is rejected',
      covers: ['notify.rebinding', 'notify.private'],
      targets: ['memory'],
      needsOwnServer: true,
      async run(context) {
        const chat = await startChatSink();
        let lookups = 0;
        try {
          await withFakeDns(
            'name servers',
            () => (++lookups === 1 ? '93.184.215.14' : '127.0.0.1'),
            async () => {
              await saveSettings(context, { url: chat.url.replace('127.0.0.1', 'hooks.example') });
              await context.send(202, 'POST', `projects/${await context.fixture('project')}/notifications/test`);
              await context.createReport();
              // Messages are sent one after the other, so the lookup for the second means that the first is done.
              await context.waitUntil(async () => lookups >= 3);
              expect(chat.texts).toEqual([]);
            },
          );
        } finally {
          await chat.close();
        }
      },
    },
    withSinks({
      title: 'a failed test message returns the reason',
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
        // Test messages are not retried.
        expect(chat.texts).toHaveLength(1);
      },
    }),
    withSinks({
      title: 'a test message is tried on the other channels if one cannot work on the server',
      covers: ['notify.test.partly'],
      async run(context, { chat }) {
        await context.restart({ allowPrivateWebhooks: true });
        await saveSettings(context, { email: true, url: chat.url });
        const path = `projects/${await context.fixture('project')}/notifications/test`;
        expect(await context.send(202, 'POST', path)).toEqual({
          sent: ['webhook'],
          failed: [
            {
              channel: 'email',
              reason: 'no_mail_server',
              detail: 'This server has no mail server: its operator has to set SERVICE_SMTP_URL.',
            },
          ],
        });
        expect(chat.texts).toHaveLength(1);
      },
    }),
    withSinks({
      title: 'a test message is sent through every enabled channel',
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
