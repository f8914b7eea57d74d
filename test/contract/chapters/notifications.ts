import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import { expect, vi } from 'vitest';
import type { ConfigInput } from '../../../packages/server/src/index.ts';
import type { Chapter, ContractTest } from '../chapter.ts';
import { startChat, startMail, type ChatSink, type MailSink } from '../message-sinks.ts';
import type { Scene } from '../scene.ts';

interface Sinks {
  chat: ChatSink;
  mail: MailSink;
  settings: ConfigInput;
}

/** A test on a server of its own, with a chat and a mail server. */
function withSinks(
  test: Omit<ContractTest, 'run'> & { run: (scene: Scene, sinks: Sinks) => Promise<void> },
): ContractTest {
  const { run, ...rest } = test;
  return {
    ...rest,
    isAlone: true,
    async run(scene) {
      const [chat, mail] = [await startChat(), await startMail()];
      const settings = { smtpUrl: mail.url, mailFrom: 'Errors <errors@service.example>', allowPrivateWebhooks: true };
      try {
        await scene.restart(settings);
        await run(scene, { chat, mail, settings });
      } finally {
        await chat.close();
        await mail.close();
      }
    },
  };
}

/** Has this process resolve names as a test says: by the machine, whose the last word is where private networks are allowed, or by name servers. */
async function withNames(
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

const set = async (
  scene: Scene,
  { email = false, url = null }: { email?: boolean; url?: string | null },
): Promise<void> => {
  const body = {
    email: { enabled: email, to: email ? ['team@shop.example', 'ops@shop.example'] : [] },
    webhook: { enabled: url !== null, url, format: 'slack' },
  };
  expect(await scene.get(200, 'PUT', `projects/${await scene.know('project')}/notifications`, { body })).toEqual(body);
};

/** Who is told. */
export const notifications: Chapter = {
  name: 'notifications',
  tests: [
    {
      title: 'settings are read and written, and wrong ones refused',
      proves: ['notify.settings', 'notify.settings.wrong', 'notify.masked'],
      async run(scene) {
        const path = `projects/${await scene.know('project')}/notifications`;
        const nobody = {
          email: { enabled: false, to: [] },
          webhook: { enabled: false, url: null, format: 'slack' },
        };
        expect(await scene.get(200, 'GET', path)).toEqual(nobody);
        const body = {
          email: { enabled: true, to: ['a@b.example'] },
          webhook: { enabled: true, url: 'https://hooks.example/services/T0/secret-part', format: 'mattermost' },
        };
        expect(await scene.get(200, 'PUT', path, { body })).toEqual(body);
        expect(await scene.get(200, 'GET', path)).toEqual(body);
        const seen = await scene.call('GET', path, { token: await scene.know('viewer') });
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
          expect(await scene.codeOf('PUT', path, { body: wrong }), JSON.stringify(wrong)).toBe('validation_failed');
        expect(await scene.get(200, 'GET', path)).toEqual(body);
      },
    },
    withSinks({
      title: 'a new group and a returning one are told once, by mail and by chat',
      proves: ['notify.new', 'notify.reopened', 'notify.repeat', 'notify.link', 'notify.escaped'],
      async run(scene, { chat, mail }) {
        // A name must not become a header.
        const body = { name: 'Shop\r\nBcc: spy@b.example' };
        await scene.get(200, 'PUT', `projects/${await scene.know('project')}`, { body });
        await set(scene, { email: true, url: chat.url });
        const fields = {
          message: 'Total is <b>NaN</b> & "gone"',
          type: 'CartError',
          event_id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
          release: '1.2.3',
        };
        const { error_group_id: id } = await scene.accepted(fields);
        for (let time = 0; time < 3; time++) await scene.accepted(fields);
        await scene.accepted({ ...fields, event_id: undefined });
        await scene.until(async () => chat.texts.length === 1 && mail.mails.length === 1);
        expect(mail.mails[0]?.to).toEqual(['team@shop.example', 'ops@shop.example']);
        for (const part of ['New error', 'CartError', '1.2.3', `/groups/${id}`]) {
          expect(chat.texts[0]).toContain(part);
          expect(mail.mails[0]?.text).toContain(part);
        }
        const link = /https?:\/\/[^|]+/.exec(chat.texts[0] ?? '')?.[0] ?? '';
        expect((await scene.server.fetch(new Request(link))).headers.get('content-type')).toContain('text/html');
        expect(chat.texts[0]).toContain('&lt;b&gt;NaN&lt;/b&gt; &amp;');
        expect(mail.mails[0]?.text.split('<!doctype html>')[1]).not.toContain('<b>');
        expect(mail.mails[0]?.text).not.toMatch(/^Bcc:/im);

        await scene.get(200, 'PATCH', `errors/${id}/status`, { body: { status: 'resolved' } });
        for (let time = 0; time < 3; time++) await scene.accepted({ ...fields, event_id: undefined });
        await scene.until(async () => chat.texts.length === 2 && mail.mails.length === 2);
        expect(chat.texts[1]).toContain('It is back');
        // Whatever else would come stands behind it.
        await scene.get(202, 'POST', `projects/${await scene.know('project')}/notifications/test`);
        await scene.until(async () => chat.texts.length > 2 && mail.mails.length > 2);
        expect(chat.texts[2]).toContain('test');
        expect([chat.texts.length, mail.mails.length]).toEqual([3, 3]);
      },
    }),
    withSinks({
      title: 'past 60 an hour they are counted, and reports go on as fast',
      proves: ['notify.cap', 'notify.dead'],
      places: ['memory'],
      turnsClock: true,
      async run(scene, { chat }) {
        chat.status = null;
        await set(scene, { url: chat.url });
        const letters = 'abcdefghijklmnopqrstuvwxyz';
        for (let index = 0; index < 70; index++) {
          const word = `${letters[index % 26]}${letters[Math.floor(index / 26)]}`.repeat(3);
          await scene.accepted({ message: `Word ${word} is wrong`, type: `Kind${word}Error` });
        }
        // A channel that never answers holds up nobody.
        chat.status = 200;
        chat.hangUp();
        await scene.until(async () => chat.texts.length >= 60);
        expect(new Set(chat.texts).size).toBe(60);
        vi.setSystemTime(Date.now() + 3_600_000);
        await scene.accepted({ message: 'Of another hour' });
        const isNext = (text: string): boolean => text.includes('Of another hour');
        await scene.until(async () => chat.texts.some(isNext));
        expect(chat.texts.find(isNext)).toContain('10 more messages were left out');
      },
    }),
    withSinks({
      title: 'what could not be delivered is delivered later, also after a restart',
      proves: ['notify.durable', 'notify.retry'],
      places: ['file', 'sqlite', 'program'],
      patience: 60_000,
      async run(scene, { chat, settings }) {
        chat.status = 500;
        await set(scene, { url: chat.url });
        await scene.accepted();
        await scene.until(async () => chat.texts.length === 1);
        await scene.restart(settings);
        chat.status = 200;
        await scene.until(async () => chat.texts.length === 2);
        // Where it listens may have changed.
        const [before, after] = chat.texts.map((text) => text.replaceAll(/:\d+\//g, '/'));
        expect(after).toBe(before);
      },
    }),
    withSinks({
      title: 'a redirect of a webhook is not followed',
      proves: ['notify.redirect'],
      async run(scene, { chat }) {
        const elsewhere = await startChat();
        try {
          Object.assign(chat, { status: 307, location: elsewhere.url });
          await set(scene, { url: chat.url });
          await scene.accepted();
          await scene.accepted({ message: 'Another thing' });
          // Messages go one after the other: with the second, the first is over.
          await scene.until(async () => chat.texts.length === 2);
          expect(elsewhere.texts).toEqual([]);
        } finally {
          await elsewhere.close();
        }
      },
    }),
    {
      title: 'a webhook into a private network is refused, under whatever name',
      proves: ['notify.private', 'notify.test.refused'],
      async run(scene) {
        const chat = await startChat();
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
            await set(scene, { url: `http://${host}:${port}/` });
            const path = `projects/${await scene.know('project')}/notifications/test`;
            const { status, body } = await scene.call('POST', path);
            expect([host, status, body.code]).toEqual([host, 422, 'validation_failed']);
            expect(body.errors).toMatchObject([{ path: 'webhook.url' }]);
          }
          await scene.accepted();
          expect(chat.texts).toEqual([]);
        } finally {
          await chat.close();
        }
      },
    },
    withSinks({
      title: 'the address of a webhook is looked up once for a message, and what was checked is what is connected to',
      proves: ['notify.rebinding'],
      // Names are resolved in this process.
      places: ['memory'],
      async run(scene, { chat }) {
        const answers = ['127.0.0.1'];
        await withNames(
          'machine',
          () => answers.shift() ?? '192.0.2.1',
          async () => {
            await set(scene, { url: chat.url.replace('127.0.0.1', 'hooks.example') });
            await scene.accepted();
            await scene.until(async () => chat.texts.length === 1);
          },
        );
      },
    }),
    {
      title: 'a name that was public when it was set, and leads into a private network later, is refused then',
      proves: ['notify.rebinding', 'notify.private'],
      places: ['memory'],
      isAlone: true,
      async run(scene) {
        const chat = await startChat();
        let asked = 0;
        try {
          await withNames(
            'name servers',
            () => (++asked === 1 ? '93.184.215.14' : '127.0.0.1'),
            async () => {
              await set(scene, { url: chat.url.replace('127.0.0.1', 'hooks.example') });
              await scene.get(202, 'POST', `projects/${await scene.know('project')}/notifications/test`);
              await scene.accepted();
              // Messages go one after the other: once the name is asked for of the second, the first is over.
              await scene.until(async () => asked >= 3);
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
      proves: ['notify.test.failed'],
      async run(scene, { chat }) {
        chat.status = 500;
        await set(scene, { email: true, url: chat.url });
        const path = `projects/${await scene.know('project')}/notifications/test`;
        expect(await scene.get(202, 'POST', path)).toEqual({
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
      proves: ['notify.test', 'notify.test.cap'],
      async run(scene, { chat, mail }) {
        const path = `projects/${await scene.know('project')}/notifications/test`;
        expect(await scene.get(202, 'POST', path)).toEqual({ sent: [] });
        await set(scene, { email: true });
        expect(await scene.get(202, 'POST', path)).toEqual({ sent: ['email'] });
        await set(scene, { email: true, url: chat.url });
        expect(await scene.get(202, 'POST', path)).toEqual({ sent: ['email', 'webhook'] });
        await scene.until(async () => chat.texts.length === 1 && mail.mails.length === 2);

        for (let sent = 3; sent < 59; sent += 2) await scene.get(202, 'POST', path);
        const late = await scene.call('POST', path);
        expect([late.status, late.body.code]).toEqual([429, 'too_many_requests']);
        expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(3_000);
      },
    }),
  ],
};
