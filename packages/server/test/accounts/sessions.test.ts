import type { Tokens } from '@service/protocol';
import { describe, expect, test } from 'vitest';
import { linkToken, owner } from './sign-in-browser.ts';
import { describeShared, type TestResponse, type TestService } from '../test-utils/describe-service.ts';
import { openService } from '../test-utils/open-service.ts';

const dayMs = 86_400_000;

type Call = TestService['call'];

async function signIn({ call, service }: TestService): Promise<Tokens> {
  const token = await linkToken(service.signInLink('https://errors.example'));
  return (await call<Tokens>('POST', 'auth/links/use', { token: null, body: { token } })).body;
}
const refresh = (call: Call, refresh_token: string): Promise<TestResponse<Tokens & { code?: string }>> =>
  call('POST', 'auth/refresh', { token: null, body: { refresh_token } });
const statusOf = async (call: Call, token: string): Promise<number> => (await call('GET', 'auth/me', { token })).status;

describeShared('POST /auth/refresh', (service) => {
  test('a refresh returns new tokens, and the previous access token stays valid', async () => {
    const { call } = service();
    const first = await signIn(service());
    const { status, body } = await refresh(call, first.refresh_token);
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
      refresh_token: expect.any(String),
    });
    expect(body.refresh_token).not.toBe(first.refresh_token);
    expect(await statusOf(call, body.access_token)).toBe(200);
    expect(await statusOf(call, first.access_token)).toBe(200);
    expect((await refresh(call, body.refresh_token)).status).toBe(200);
  });

  test('reuse of a refresh token ends its session and no other', async () => {
    const { call } = service();
    const other = await signIn(service());
    const first = await signIn(service());
    const second = (await refresh(call, first.refresh_token)).body;
    const third = (await refresh(call, second.refresh_token)).body;

    const again = await refresh(call, first.refresh_token);
    expect([again.status, again.body.code]).toEqual([401, 'invalid_token']);
    expect((await refresh(call, third.refresh_token)).body.code).toBe('invalid_token');
    for (const { access_token } of [first, second, third]) expect(await statusOf(call, access_token)).toBe(401);
    expect(await statusOf(call, other.access_token)).toBe(200);
    expect((await refresh(call, other.refresh_token)).status).toBe(200);
  });

  test('concurrent use of one refresh token ends its session', async () => {
    const { call } = service();
    const { refresh_token } = await signIn(service());
    const responses = await Promise.all([1, 2, 3].map(() => refresh(call, refresh_token)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
    const winner = responses.find(({ status }) => status === 200)?.body;
    expect(await statusOf(call, winner?.access_token ?? '')).toBe(401);
    expect((await refresh(call, winner?.refresh_token ?? '')).status).toBe(401);
  });

  test.each(['', 'nope', '.', 'a.b', `${'a'.repeat(43)}.${'b'.repeat(43)}`, 'ü.\u0000'])(
    'the refresh token %j is rejected',
    async (refresh_token) => {
      const { call } = service();
      const response = await refresh(call, refresh_token);
      expect([response.status, response.body.code]).toEqual([401, 'invalid_token']);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
    },
  );

  test('sessions survive a restart, and used refresh tokens stay used', async () => {
    const { call, restart, service: running } = service();
    if (running.storage.name === 'memory:') return;
    const first = await signIn(service());
    const second = (await refresh(call, first.refresh_token)).body;
    await restart();
    expect(await statusOf(call, second.access_token)).toBe(200);
    const third = await refresh(call, second.refresh_token);
    expect(third.status).toBe(200);
    await restart();
    expect((await refresh(call, first.refresh_token)).status).toBe(401);
    expect((await refresh(call, third.body.refresh_token)).status).toBe(401);
    await restart();
    expect(await statusOf(call, third.body.access_token)).toBe(401);
  });
});

describeShared('POST /auth/logout', (service) => {
  test('sign-out with a Bearer token ends its session immediately', async () => {
    const { call } = service();
    const { access_token, refresh_token } = await signIn(service());
    const other = await signIn(service());
    const response = await call('POST', 'auth/logout', { token: access_token });
    expect([response.status, response.text]).toEqual([204, '']);
    const after = await call('GET', 'auth/me', { token: access_token });
    expect([after.status, after.body.code]).toEqual([401, 'invalid_token']);
    expect((await refresh(call, refresh_token)).status).toBe(401);
    expect((await call('POST', 'auth/logout', { token: access_token })).status).toBe(401);
    expect(await statusOf(call, other.access_token)).toBe(200);
  });

  test('sign-out with only a refresh token ends its session immediately', async () => {
    const { call } = service();
    const { access_token, refresh_token } = await signIn(service());
    const logout = () => call('POST', 'auth/logout', { token: null, body: { refresh_token } });
    expect((await logout()).status).toBe(204);
    expect(await statusOf(call, access_token)).toBe(401);
    expect((await logout()).body.code).toBe('invalid_token');
  });

  test('sign-out with both tokens ends their session', async () => {
    const { call } = service();
    const { access_token: token, refresh_token } = await signIn(service());
    expect((await call('POST', 'auth/logout', { token, body: { refresh_token } })).status).toBe(204);
    expect(await statusOf(call, token)).toBe(401);
  });

  test('sign-out with a used refresh token is rejected and ends the session', async () => {
    const { call } = service();
    const { refresh_token } = await signIn(service());
    const { access_token } = (await refresh(call, refresh_token)).body;
    const response = await call('POST', 'auth/logout', { token: null, body: { refresh_token } });
    expect([response.status, response.body.code]).toEqual([401, 'invalid_token']);
    expect(await statusOf(call, access_token)).toBe(401);
  });

  test('sign-out accepts an empty body or an empty object, with any content type', async () => {
    const { call } = service();
    for (const options of [{}, { body: {} }, { body: '{}', headers: { 'content-type': 'text/plain' } }]) {
      const { access_token: token } = await signIn(service());
      expect((await call('POST', 'auth/logout', { token, ...options })).status).toBe(204);
    }
  });

  test('sign-out requires a token of a session', async () => {
    const { call } = service();
    expect((await call('POST', 'auth/logout', { token: null })).body.code).toBe('missing_token');
    expect((await call('POST', 'auth/logout', { token: null, body: '{' })).body.code).toBe('malformed_json');
    expect((await call('POST', 'auth/logout', { token: null, body: { token: 'x' } })).status).toBe(422);
    // The operator's token has no session. A 204 would suggest that it is no longer valid.
    expect((await call('POST', 'auth/logout')).body.code).toBe('forbidden');
  });
});

/** Signs in by password: these tests have no access to sign-in links. */
const login = async (call: Call): Promise<Tokens> =>
  (await call<Tokens>('POST', 'auth/login', { token: null, body: owner })).body;

describe('the lifetime of sessions', () => {
  test('an access token expires after 15 minutes, a session after 30 days without a refresh', async () => {
    const time = { now: Date.UTC(2026, 10, 21) };
    const { call, close } = await openService({}, { now: () => time.now });
    const first = await login(call);
    time.now += 15 * 60_000 - 1;
    expect(await statusOf(call, first.access_token)).toBe(200);
    time.now += 1;
    expect((await call('GET', 'auth/me', { token: first.access_token })).body.code).toBe('expired_token');
    time.now += 29 * dayMs;
    const second = await refresh(call, first.refresh_token);
    expect(second.status).toBe(200);
    time.now += 29 * dayMs;
    const third = await refresh(call, second.body.refresh_token);
    expect(third.status).toBe(200);
    time.now += 30 * dayMs;
    expect((await refresh(call, third.body.refresh_token)).body.code).toBe('invalid_token');
    await close();
  });

  test('access tokens stay valid if the clock is set back by a few seconds', async () => {
    const time = { now: Date.UTC(2026, 10, 21) };
    const { call, close } = await openService({}, { now: () => time.now });
    const { access_token } = await login(call);
    time.now -= 20_000;
    expect(await statusOf(call, access_token)).toBe(200);
    await close();
  });

  test('sign-in deletes expired sessions, and the oldest sessions of a user beyond 100', async () => {
    const time = { now: Date.UTC(2026, 10, 21) };
    const { call, services, close } = await openService({}, { now: () => time.now });
    const sessions = services.store.model.tables.sessions;
    const user_id = 1;
    await services.store.commit((transaction) => {
      for (let index = 0; index < 150; index++) {
        const at = time.now - (150 - index) * 1_000;
        transaction.put('sessions', {
          id: `old-${index}`,
          user_id,
          refresh_hash: 'x',
          created_at: new Date(at).toISOString(),
          expires_at: new Date(at + (index % 2 === 0 ? dayMs : 30 * dayMs)).toISOString(),
        });
      }
    });
    await login(call);
    expect(sessions.size).toBe(100);
    expect(sessions.get('old-50')).toBeUndefined();
    expect(sessions.get('old-51')).toBeDefined();
    time.now += 2 * dayMs;
    await login(call);
    expect([...sessions.values()].filter(({ id }) => id.startsWith('old')).length).toBe(50);
    await close();
  });
});
