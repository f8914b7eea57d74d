import type { Me, Tokens } from '@service/protocol';
import { expect, test } from 'vitest';
import { linkToken, owner, signInBrowser } from './sign-in-browser.ts';
import { addMember, createPersonalToken } from './members.ts';
import { describeInMemory, describeService, type TestService } from '../test-utils/describe-service.ts';

type Call = TestService['call'];

const newPassword = 'a new one for the horse';
const sameOrigin = { 'sec-fetch-site': 'same-origin' };

const login = (call: Call, password = owner.password) =>
  call<Tokens>('POST', 'auth/login', { token: null, body: { ...owner, password } });
const change = (call: Call, token: string, body: object) =>
  call<Me & { code?: string }>('PATCH', 'auth/me', { token, body });

describeService('/auth/me', (start) => {
  test('a user reads their profile and changes their name', async () => {
    const { call } = await start();
    const { access_token: token } = (await login(call)).body;
    const me = {
      id: 1,
      email: owner.email,
      name: null,
      role: 'owner',
      team: { id: 1, name: 'Operator', plan: 'self_hosted' },
    };
    expect((await call('GET', 'auth/me', { token })).body).toEqual(me);
    const { status, body } = await change(call, token, { name: ' Ann ' });
    expect([status, body]).toEqual([200, { ...me, name: 'Ann' }]);
    expect((await change(call, token, {})).body.name).toBe('Ann');
    expect((await change(call, token, { name: null })).body.name).toBeNull();
    expect((await call('GET', 'auth/me?x=1', { token })).status).toBe(422);
    for (const fields of [{ name: '' }, { role: 'viewer' }, { email: 'x@y.example' }, { password: newPassword }])
      expect((await change(call, token, fields)).status).toBe(422);
  });

  test('a viewer changes their name and reads their current role', async () => {
    const { call } = await start();
    const viewer = await addMember(call, 'vic@shop.example', 'viewer');
    expect((await change(call, viewer.token, { name: 'Vic' })).body).toMatchObject({ name: 'Vic', role: 'viewer' });
    await call('PATCH', `members/${viewer.id}`, { body: { role: 'member' } });
    expect((await call<Me>('GET', 'auth/me', { token: viewer.token })).body.role).toBe('member');
  });

  test('a new password ends every other session of the user', async () => {
    const { call, service } = await start();
    const mine = (await login(call)).body;
    const other = (await login(call)).body;
    const browser = await signInBrowser(call);
    const link = await linkToken(service.signInLink('https://errors.example'));
    const { token: personal } = await createPersonalToken(call, { token: mine.access_token });

    const body = { password: newPassword, current_password: owner.password };
    expect((await change(call, mine.access_token, body)).status).toBe(200);

    expect((await call('GET', 'auth/me', { token: other.access_token })).status).toBe(401);
    const refresh = (refresh_token: string) => call('POST', 'auth/refresh', { token: null, body: { refresh_token } });
    expect((await refresh(other.refresh_token)).status).toBe(401);
    expect((await call('GET', 'auth/me', { token: null, headers: { cookie: browser } })).status).toBe(401);
    expect((await call('POST', 'auth/links/use', { token: null, body: { token: link } })).status).toBe(401);
    expect((await login(call)).status).toBe(401);

    expect((await login(call, newPassword)).status).toBe(200);
    expect((await call('GET', 'auth/me', { token: mine.access_token })).status).toBe(200);
    expect((await refresh(mine.refresh_token)).status).toBe(200);
    // A CI job does not use the password, so its personal access token stays valid.
    expect((await call('GET', 'auth/me', { token: personal })).status).toBe(200);
  });
});

describeInMemory('a password change', (start) => {
  test('a password change in a browser keeps that browser signed in', async () => {
    const { call } = await start();
    const cookie = await signInBrowser(call);
    const other = await signInBrowser(call);
    const response = await call('PATCH', 'auth/me', {
      token: null,
      headers: { cookie, ...sameOrigin },
      body: { password: newPassword, current_password: owner.password },
    });
    expect(response.status).toBe(200);
    expect((await call('GET', 'auth/me', { token: null, headers: { cookie } })).status).toBe(200);
    expect((await call('GET', 'auth/me', { token: null, headers: { cookie: other } })).status).toBe(401);
  });

  test('a password change requires the current password', async () => {
    const { call } = await start();
    const { access_token: token } = (await login(call)).body;
    const wrong = await change(call, token, { name: 'Ann', password: newPassword, current_password: 'a guess' });
    expect([wrong.status, wrong.body.code]).toEqual([401, 'invalid_credentials']);
    expect((await call<Me>('GET', 'auth/me', { token })).body.name).toBeNull();
    const short = await change(call, token, { password: 'short', current_password: owner.password });
    expect(short.status).toBe(422);
    expect((await login(call)).status).toBe(200);
  });

  test('one of two concurrent password changes succeeds', async () => {
    const { call } = await start();
    const tokens = [(await login(call)).body.access_token, (await login(call)).body.access_token];
    const responses = await Promise.all(
      tokens.map((token, index) =>
        change(call, token, { password: `${newPassword} ${index}`, current_password: owner.password }),
      ),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    const winner = responses.findIndex(({ status }) => status === 200);
    expect((await login(call, `${newPassword} ${winner}`)).status).toBe(200);
  });

  test('a password change ends concurrent sign-ins with the previous password', async () => {
    const { call } = await start();
    const { access_token: token } = (await login(call)).body;
    const [changed, ...late] = await Promise.all([
      change(call, token, { password: newPassword, current_password: owner.password }),
      login(call),
      login(call),
    ]);
    expect(changed.status).toBe(200);
    // Each sign-in is rejected, or precedes the change, which ends its session.
    for (const { status, body } of late) {
      const after = status === 200 ? (await call('GET', 'auth/me', { token: body.access_token })).status : status;
      expect(after).toBe(401);
    }
  });
});
