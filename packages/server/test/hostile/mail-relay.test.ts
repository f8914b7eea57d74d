import type { Confirmation, Me, Page, Problem, Project, Recipient, TestSent, Tokens } from '@service/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMailSink, type MailSink } from '../mails/mail-sink.ts';
import { cleanUp, temporaryFolder } from '../test-utils/describe-service.ts';
import { startWatched, type WatchedServer } from './watched-server.ts';

let sink: MailSink;
let server: WatchedServer;
beforeAll(async () => {
  sink = await startMailSink();
  server = await startWatched(`file:${await temporaryFolder()}`, {
    SERVICE_SMTP_URL: sink.url,
    SERVICE_REGISTRATION: 'open',
    SERVICE_MAILS_PER_DAY: '5',
  });
});
afterAll(async () => {
  await server.stop();
  await sink.close();
  await cleanUp();
});

const password = 'a password of mallory';

/** Registers an account, and returns its access token. */
async function register(email: string, team_name = 'Mallory'): Promise<string> {
  const { status, body } = await server.call<Tokens>('POST', 'auth/register', { body: { email, password, team_name } });
  expect(status).toBe(201);
  return body.access_token;
}

/** Confirms or declines by the newest link that was mailed to an address. */
async function useConfirmation(email: string, accept = true): Promise<Confirmation> {
  const { status, body } = await server.call<Confirmation>('POST', 'auth/confirmations/use', {
    token: '',
    body: { token: sink.tokenTo(email), accept },
  });
  expect(status).toBe(200);
  return body;
}

const mailsTo = (email: string) => expect.poll(() => sink.to(email).length, { timeout: 60_000 });

/** Lets a project notify these addresses. */
function notify(token: string, id: number, to: string[]) {
  return server.call('PUT', `projects/${id}/notifications`, {
    token,
    body: { email: { enabled: true, to }, webhook: { enabled: false, url: null, format: 'slack' } },
  });
}

const strangers = Array.from({ length: 20 }, (_, index) => `stranger${index}@elsewhere.example`);

test('strangers get one mail that asks for their consent and no notifications, whatever a registered team reports', async () => {
  const token = await register('mallory@evil.example', 'Buy now: https://evil.example/x');
  const before = await server.call<Problem>('POST', 'projects', { token, body: { name: 'Spam' } });
  expect([before.status, before.body.code]).toEqual([403, 'email_not_verified']);
  expect((await server.call('GET', 'projects', { token })).status).toBe(200);
  await mailsTo('mallory@evil.example').toBe(1);
  expect(await useConfirmation('mallory@evil.example')).toMatchObject({ kind: 'account', status: 'confirmed' });
  expect((await server.call<Me>('GET', 'auth/me', { token })).body.email_status).toBe('verified');
  const { body: project } = await server.call<Project>('POST', 'projects', { token, body: { name: 'Spam' } });
  await notify(token, project.id, strangers);
  for (let index = 0; index < 15; index++) {
    const report = {
      project_api_key: project.api_key,
      message: `Buy now ${'abcdefghijklmno'[index]} https://evil.example`,
    };
    expect((await server.call('POST', 'errors', { token: '', body: report })).status).toBe(200);
  }
  await mailsTo('stranger19@elsewhere.example').toBe(1);
  // Neither saving the settings again nor a test message sends another mail to the recipients.
  await notify(token, project.id, strangers);
  const sent = await server.call<TestSent>('POST', `projects/${project.id}/notifications/test`, { token });
  expect(sent.body).toMatchObject({ sent: [], failed: [{ reason: 'recipients_not_confirmed' }] });
  const toStrangers = sink.mails.filter(({ to }) => to.some((address) => strangers.includes(address)));
  expect(toStrangers).toHaveLength(strangers.length);
  for (const { text } of toStrangers) expect(text).not.toContain('evil.example');
});

test('a recipient who confirms gets notifications up to the daily limit, and one who declines is never asked again', async () => {
  const token = await register('ann@shop.example', 'Shop');
  await mailsTo('ann@shop.example').toBe(1);
  await useConfirmation('ann@shop.example');
  const { body: project } = await server.call<Project>('POST', 'projects', { token, body: { name: 'Shop' } });
  // Ann is a member whose address is verified.
  await notify(token, project.id, ['ann@shop.example', 'ben@shop.example', 'cleo@shop.example']);
  await mailsTo('cleo@shop.example').toBe(1);
  expect(await useConfirmation('ben@shop.example')).toMatchObject({
    kind: 'recipient',
    team: 'Shop',
    status: 'confirmed',
  });
  expect(await useConfirmation('cleo@shop.example', false)).toMatchObject({ status: 'declined' });
  const list = async () =>
    (await server.call<Page<Recipient>>('GET', `projects/${project.id}/notifications/recipients`, { token })).body;
  expect((await list()).items.map(({ status }) => status)).toEqual(['confirmed', 'confirmed', 'declined']);
  const ask = (email: string) =>
    server.call<Problem>('POST', `projects/${project.id}/notifications/recipients/ask`, { token, body: { email } });
  expect((await ask('cleo@shop.example')).status).toBe(409);
  for (const name of ['one', 'two', 'three'])
    await server.call('POST', 'errors', {
      token: '',
      body: { project_api_key: project.api_key, message: `${name} broke` },
    });
  // The limit of five mails a day has room for two messages to two recipients.
  await mailsTo('ben@shop.example').toBe(3);
  const tried = await server.call<TestSent>('POST', `projects/${project.id}/notifications/test`, { token });
  expect(tried.body).toMatchObject({ sent: [], failed: [{ reason: 'mail_limit_reached' }] });
  expect(sink.to('ben@shop.example')).toHaveLength(3);
  expect(sink.to('cleo@shop.example')).toHaveLength(1);
});

test('all teams together can ask an e-mail address for consent at most three times a day', async () => {
  const statuses: number[] = [];
  const victim = 'victim@elsewhere.example';
  for (const team of ['a', 'b']) {
    const token = await register(`${team}@evil.example`);
    await mailsTo(`${team}@evil.example`).toBe(1);
    await useConfirmation(`${team}@evil.example`);
    const { body: project } = await server.call<Project>('POST', 'projects', { token, body: { name: 'Spam' } });
    await notify(token, project.id, [victim]);
    for (let again = 0; again < 3; again++) {
      const { status } = await server.call('POST', `projects/${project.id}/notifications/recipients/ask`, {
        token,
        body: { email: victim },
      });
      statuses.push(status);
    }
  }
  expect(statuses).toEqual([202, 202, 429, 429, 429, 429]);
  await mailsTo(victim).toBe(3);
});

test('the owner of an e-mail address can free it if someone else has registered it', async () => {
  const token = await register('dora@shop.example');
  await mailsTo('dora@shop.example').toBe(1);
  const page = new URL(`/confirm/${sink.tokenTo('dora@shop.example')}`, server.url);
  // Mail scanners open links.
  const shown = await (await fetch(page)).text();
  expect(shown).toContain('It was not me');
  expect((await server.call<Me>('GET', 'auth/me', { token })).body.email_status).toBe('required');
  expect(await (await fetch(`${page.href}/decline`, { method: 'POST' })).text()).toContain('The account was removed.');
  expect((await server.call('GET', 'auth/me', { token })).status).toBe(401);
  await register('dora@shop.example');
});

test('one IP address registers at most 20 accounts an hour', async () => {
  const statuses: number[] = [];
  for (let index = 0; index < 18; index++) {
    const { status } = await server.call('POST', 'auth/register', {
      body: { email: `many${index}@evil.example`, password },
    });
    statuses.push(status);
  }
  expect(statuses).toContain(429);
  expect(statuses.filter((status) => status === 201).length).toBeLessThan(18);
});
