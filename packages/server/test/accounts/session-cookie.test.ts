import { describe, expect, test } from 'vitest';
import { cookieOf, linkToken, owner, signInBrowser } from './sign-in-browser.ts';
import { describeInMemory, describeShared, type TestService } from '../test-utils/describe-service.ts';
import { openService } from '../test-utils/open-service.ts';
import { machineTiming } from '../../src/time/timing.ts';

const sameOrigin = { 'sec-fetch-site': 'same-origin' };
const hourMs = 3_600_000;

/** Creates a sign-in link. Returns the request body that uses it. */
async function createLinkBody({ service }: TestService): Promise<{ token: string }> {
  return { token: await linkToken(service.signInLink('https://errors.example')) };
}

describeShared('the session cookie', (service) => {
  test('a session cookie is SameSite=Strict and grants the same access as a Bearer token', async () => {
    const { call } = service();
    const response = await call('POST', 'auth/session', { token: null, body: owner });
    expect([response.status, response.text]).toEqual([204, '']);
    const cookieSet = cookieOf(response);
    expect(cookieSet?.cookie).toMatch(/^service_session=[\w-]{43}$/);
    expect(cookieSet?.attributes).toEqual(['httponly', 'path=/', 'samesite=strict']);
    expect(cookieSet?.maxAgeSeconds).toBe(12 * 3_600);

    const cookie = cookieSet?.cookie ?? '';
    expect((await call('GET', 'auth/me', { token: null, headers: { cookie } })).status).toBe(200);
    const body = { name: 'From the browser' };
    const made = await call('POST', 'projects', { token: null, headers: { cookie, ...sameOrigin }, body });
    expect(made.status).toBe(201);
  });

  test('a sign-in link sets a session cookie once', async () => {
    const { call, service: running } = service();
    const token = await linkToken(running.signInLink('https://errors.example'));
    const cookie = await signInBrowser(call, { token });
    expect((await call('GET', 'projects', { token: null, headers: { cookie } })).status).toBe(200);
    const again = await call('POST', 'auth/session', { token: null, body: { token } });
    expect([again.status, again.body.code, cookieOf(again)]).toEqual([401, 'invalid_token', null]);
  });

  test('DELETE /auth/session ends the session immediately and expires the cookie', async () => {
    const { call } = service();
    const cookie = await signInBrowser(call, await createLinkBody(service()));
    const other = await signInBrowser(call, await createLinkBody(service()));
    const response = await call('DELETE', 'auth/session', { token: null, headers: { cookie, ...sameOrigin } });
    expect(response.status).toBe(204);
    expect(cookieOf(response)).toMatchObject({ cookie: 'service_session=', maxAgeSeconds: 0 });
    const after = await call('GET', 'auth/me', { token: null, headers: { cookie } });
    expect([after.status, after.body.code]).toEqual([401, 'invalid_token']);
    expect((await call('GET', 'auth/me', { token: null, headers: { cookie: other } })).status).toBe(200);
    // A caller without a cookie, or with an expired one, is already signed out.
    expect((await call('DELETE', 'auth/session', { token: null, headers: { cookie } })).status).toBe(204);
    expect((await call('DELETE', 'auth/session', { token: null })).status).toBe(204);
  });

  test('POST /auth/logout ends the session of a cookie', async () => {
    const { call } = service();
    const cookie = await signInBrowser(call, await createLinkBody(service()));
    expect((await call('POST', 'auth/logout', { token: null, headers: { cookie } })).status).toBe(403);
    const response = await call('POST', 'auth/logout', { token: null, headers: { cookie, ...sameOrigin } });
    expect(response.status).toBe(204);
    expect(cookieOf(response)?.maxAgeSeconds).toBe(0);
    expect((await call('POST', 'auth/logout', { token: null, headers: { cookie } })).status).toBe(401);
  });

  test('a session cookie survives a restart', async () => {
    const { call, restart, service: running } = service();
    if (running.storage.name === 'memory:') return;
    const cookie = await signInBrowser(call, await createLinkBody(service()));
    await restart();
    expect((await call('GET', 'auth/me', { token: null, headers: { cookie } })).status).toBe(200);
  });

  test('a session cookie is not accepted as a token, nor a token as a session cookie', async () => {
    const { call } = service();
    const { body: tokens } = await call<{ access_token: string; refresh_token: string }>('POST', 'auth/login', {
      token: null,
      body: owner,
    });
    const secret = (await signInBrowser(call, await createLinkBody(service()))).replace('service_session=', '');
    expect((await call('GET', 'auth/me', { token: secret })).body.code).toBe('invalid_token');
    for (const refresh_token of [secret, `${secret}.${secret}`]) {
      const response = await call('POST', 'auth/refresh', { token: null, body: { refresh_token } });
      expect(response.body.code).toBe('invalid_token');
    }
    const [half = ''] = tokens.refresh_token.split('.');
    for (const value of [half, tokens.refresh_token, tokens.access_token]) {
      const headers = { cookie: `service_session=${value}` };
      expect((await call('GET', 'auth/me', { token: null, headers })).body.code).toBe('invalid_token');
    }
    // None of these requests ended a session.
    const headers = { cookie: `service_session=${secret}` };
    expect((await call('GET', 'auth/me', { token: null, headers })).status).toBe(200);
    expect((await call('GET', 'auth/me', { token: tokens.access_token })).status).toBe(200);
  });
});

describeShared('the origin check of session cookies', (service) => {
  const ownOrigin = 'http://{host}';
  const rows: [name: string, status: number, headers: Record<string, string>][] = [
    ['a request with neither header', 403, {}],
    ['its own origin', 201, { origin: ownOrigin }],
    ['a foreign origin', 403, { origin: 'https://evil.example' }],
    ['another port', 403, { origin: 'http://127.0.0.1:1' }],
    ['its own origin, behind a proxy that speaks https', 201, { origin: 'https://{host}' }],
    ['a scheme that no page has', 403, { origin: 'ftp://{host}' }],
    ['an origin with user info', 403, { origin: 'http://evil.example@{host}' }],
    ['an opaque origin', 403, { origin: 'null' }],
    ['a malformed origin', 403, { origin: 'rubbish' }],
    ['a page of the same origin', 201, { 'sec-fetch-site': 'same-origin' }],
    ['a page of the same site', 403, { 'sec-fetch-site': 'same-site' }],
    ['a page of another site', 403, { 'sec-fetch-site': 'cross-site' }],
    ['a page of another site that claims an origin', 403, { 'sec-fetch-site': 'cross-site', origin: ownOrigin }],
    ['a navigation by the user', 403, { 'sec-fetch-site': 'none' }],
  ];

  test.each(rows)('a write with a session cookie from %s returns %i', async (_name, status, headers) => {
    const { call, service: running } = service();
    const url = running.storage.name === 'memory:' ? 'http://127.0.0.1:4400' : (await running.listen()).url;
    const cookie = await signInBrowser(call, await createLinkBody(service()));
    const sent = {
      ...headers,
      ...(headers.origin && { origin: headers.origin.replace('{host}', new URL(url).host) }),
      cookie,
    };
    const response = await call('POST', 'projects', { token: null, headers: sent, body: { name: 'x' } });
    expect([response.status, response.body.code]).toEqual([status, status === 403 ? 'forbidden' : undefined]);
    expect((await call('GET', 'projects', { token: null, headers: sent })).status).toBe(200);
  });

  test('a cross-origin write with a session cookie is rejected before the rest of the request is validated', async () => {
    const { call } = service();
    const cookie = await signInBrowser(call, await createLinkBody(service()));
    const options = { token: null, headers: { cookie, 'content-type': 'text/plain' }, body: '{' };
    expect((await call('PUT', 'projects/99', options)).body.code).toBe('forbidden');
    const bad = { ...options, headers: { ...options.headers, cookie: 'service_session=nope' } };
    expect((await call('PUT', 'projects/99', bad)).body.code).toBe('invalid_token');
    // A Bearer token needs no origin check: a page of another origin does not have one.
    expect((await call('PUT', 'projects/99', { headers: { cookie }, body: '{' })).body.code).toBe('project_not_found');
  });

  test.each([
    'service_session',
    'service_session=',
    'service_session=%',
    'service_session=%ff%00',
    'service_session="',
    '=',
    ';;;;',
    '__proto__=x; constructor=y; toString=z',
    `${'a=b; '.repeat(2_000)}service_session=nope`,
    `service_session=${'x'.repeat(10_000)}`,
  ])('a malformed Cookie header gives no access and causes no error: %#', async (cookie) => {
    const { call } = service();
    const response = await call('GET', 'auth/me', { token: null, headers: { cookie } });
    expect(response.status).toBe(401);
    expect(['missing_token', 'invalid_token']).toContain(response.body.code);
    expect((await call('GET', 'auth/me', { headers: { cookie } })).status).toBe(200);
  });

  test('POST /auth/session rejects incomplete and ambiguous credentials', async () => {
    const { call } = service();
    const paths = async (body: object) =>
      (await call('POST', 'auth/session', { token: null, body })).body.errors?.map(({ path }) => path);
    expect(await paths({})).toEqual(['email', 'password']);
    expect(await paths({ email: 'a@b.example' })).toEqual(['password']);
    expect(await paths({ token: 5 })).toEqual(['token']);
    expect(await paths({ ...owner, token: 'x' })).toEqual(['token']);
  });
});

describe('the lifetime of a session cookie', () => {
  test('a session cookie is Secure if the base URL is https', async () => {
    const { call, close } = await openService({ baseUrl: 'https://errors.example' });
    const response = await call('POST', 'auth/session', { token: null, body: owner });
    expect(cookieOf(response)?.attributes).toEqual(['httponly', 'path=/', 'samesite=strict', 'secure']);
    const headers = { cookie: cookieOf(response)?.cookie ?? '', origin: 'https://errors.example' };
    const write = (more: object) =>
      call('POST', 'projects', { token: null, headers: { ...headers, ...more }, body: { name: 'x' } });
    expect((await write({})).status).toBe(201);
    // An attacker on the network can forge pages that are loaded over http.
    expect((await write({ origin: 'http://127.0.0.1:4400' })).body.code).toBe('forbidden');
    await close();
  });

  test('a session cookie expires 12 hours after its last use, and after 30 days at most', async () => {
    const time = { now: Date.UTC(2026, 10, 21) };
    const { call, close } = await openService({}, { now: () => time.now });
    const use = async (cookie: string) => {
      const response = await call('GET', 'auth/me', { token: null, headers: { cookie } });
      return { status: response.status, maxAgeSeconds: cookieOf(response)?.maxAgeSeconds };
    };
    const idle = await signInBrowser(call);
    time.now += 12 * hourMs;
    expect(await use(idle)).toEqual({ status: 401 });

    const cookie = await signInBrowser(call);
    const signedInAt = time.now;
    for (let hours = 11; hours <= 29 * 24; hours += 11) {
      time.now = signedInAt + hours * hourMs;
      expect(await use(cookie)).toEqual({ status: 200, maxAgeSeconds: 12 * 3_600 });
    }
    time.now = signedInAt + 29 * 24 * hourMs;
    expect(await use(cookie)).toEqual({ status: 200, maxAgeSeconds: 12 * 3_600 });
    time.now = signedInAt + (30 * 24 - 12.5) * hourMs;
    await use(cookie);
    time.now = signedInAt + (30 * 24 - 1) * hourMs;
    expect(await use(cookie)).toEqual({ status: 200, maxAgeSeconds: 3_600 });
    time.now = signedInAt + 30 * 24 * hourMs - 1;
    expect(await use(cookie)).toEqual({ status: 200 });
    time.now += 1;
    expect(await use(cookie)).toEqual({ status: 401 });
    await close();
  });

  test('a session cookie in use causes at most one log entry every five minutes', async () => {
    const time = { now: Date.UTC(2026, 10, 21) };
    const now = (): number => time.now;
    const { call, services, close } = await openService({}, { now, timing: { ...machineTiming, now } });
    const cookie = await signInBrowser(call);
    const before = services.store.model.batchNumber;
    const useThreeTimes = async () => {
      const concurrent = [1, 2, 3].map(() => call('GET', 'auth/me', { token: null, headers: { cookie } }));
      for (const { status } of await Promise.all(concurrent)) expect(status).toBe(200);
    };
    for (let seconds = 0; seconds < 300; seconds += 20) {
      await useThreeTimes();
      time.now += 20_000;
    }
    expect(services.store.model.batchNumber).toBe(before);
    await useThreeTimes();
    expect(services.store.model.batchNumber).toBe(before + 1);
    await close();
  });
});

describeInMemory('a deleted member', (start) => {
  test('a deleted member is signed out of browsers immediately', async () => {
    const { call } = await start();
    const member = { email: 'ann@shop.example', password: 'ann has a password', role: 'member' };
    const { body } = await call<{ id: number }>('POST', 'members', { body: member });
    const { role: _role, ...credentials } = member;
    const cookie = await signInBrowser(call, credentials);
    expect((await call('GET', 'auth/me', { token: null, headers: { cookie } })).status).toBe(200);
    await call('DELETE', `members/${body.id}`);
    expect((await call('GET', 'auth/me', { token: null, headers: { cookie } })).status).toBe(401);
  });
});
