import { limits, type NewPersonalToken, type Page, type PersonalToken } from '@service/protocol';
import { expect, test } from 'vitest';
import { addMember, createPersonalToken } from './members.ts';
import { describeInMemory, describeService } from '../test-utils/describe-service.ts';
import { openService } from '../test-utils/open-service.ts';

describeService('personal access tokens', (start, driver) => {
  test('personal access tokens are created, shown once, used, listed and deleted', async () => {
    const { call, restart } = await start();
    const made = await call<NewPersonalToken>('POST', 'auth/tokens', {
      body: { name: ' CI ', expires_at: '2126-11-20T09:00:00Z' },
    });
    const listed = {
      id: 1,
      name: 'CI',
      created_at: expect.stringMatching(/\.\d{3}Z$/),
      expires_at: '2126-11-20T09:00:00.000Z',
    };
    expect([made.status, made.body]).toEqual([201, { ...listed, token: expect.stringMatching(/^pat_[\w-]{43}$/) }]);
    if (driver === 'file:') await restart();
    const { token } = made.body;
    expect((await call('GET', 'projects', { token })).status).toBe(200);
    const second = await createPersonalToken(call);
    expect(second.expires_at).toBeNull();
    expect((await call('GET', 'auth/tokens', { token })).body).toEqual({
      items: [listed, { id: 2, name: 'CI', created_at: second.created_at, expires_at: null }],
      total: 2,
      page: 1,
      size: 50,
      pages: 1,
    });
    const deleted = await call('DELETE', 'auth/tokens/1');
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect((await call('GET', 'projects', { token })).body.code).toBe('invalid_token');
    expect((await call('DELETE', 'auth/tokens/1')).body.code).toBe('token_not_found');
    expect((await createPersonalToken(call)).id).toBe(3);
  });

  test('personal access tokens have the current role of their owner', async () => {
    const { call } = await start();
    const ann = await addMember(call, 'ann@shop.example', 'member');
    const { token } = await createPersonalToken(call, { token: ann.token });
    const create = () => call('POST', 'projects', { token, body: { name: 'Blog' } });
    expect((await create()).status).toBe(201);
    await call('PATCH', `members/${ann.id}`, { body: { role: 'viewer' } });
    expect([(await create()).status, (await call('GET', 'projects', { token })).status]).toEqual([403, 200]);
    await call('PATCH', `members/${ann.id}`, { body: { role: 'owner' } });
    expect((await call('PATCH', `members/${ann.id}`, { token, body: { name: 'Ann' } })).status).toBe(200);
  });
});

describeInMemory('a personal access token', (start) => {
  test('only its owner can list and delete a personal access token, also as a viewer', async () => {
    const { call } = await start();
    const ann = await addMember(call, 'ann@shop.example', 'viewer');
    const own = await createPersonalToken(call, { token: ann.token });
    expect((await call<Page<PersonalToken>>('GET', 'auth/tokens')).body.items).toEqual([]);
    expect((await call('DELETE', `auth/tokens/${own.id}`)).body.code).toBe('token_not_found');
    expect((await call('DELETE', `auth/tokens/${own.id}`, { token: ann.token })).status).toBe(204);
  });

  test('a personal access token can delete itself but cannot create another that outlives it', async () => {
    const { call } = await start();
    const { id, token } = await createPersonalToken(call);
    const another = await call('POST', 'auth/tokens', { token, body: { name: 'Another' } });
    expect([another.status, another.body.code]).toEqual([403, 'forbidden']);
    expect((await call('DELETE', `auth/tokens/${id}`, { token })).status).toBe(204);
    expect((await call('GET', 'projects', { token })).status).toBe(401);
  });

  test('concurrent requests do not exceed the maximum of personal access tokens per user', async () => {
    const { call } = await start();
    const responses = await Promise.all(
      Array.from({ length: limits.personalTokensPerUser + 20 }, () =>
        call('POST', 'auth/tokens', { body: { name: 'CI' } }),
      ),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(limits.personalTokensPerUser);
    expect(responses.find(({ status }) => status !== 201)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    await call('DELETE', 'auth/tokens/1');
    expect((await call('POST', 'auth/tokens', { body: { name: 'CI' } })).status).toBe(201);
  });

  test.each([
    [{}, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ name: 'CI', expires_at: '2026-01-01T00:00:00.000Z' }, 'expires_at'],
    [{ name: 'CI', expires_at: 'tomorrow' }, 'expires_at'],
    [{ name: 'CI', expires_at: '2126-02-30T00:00:00Z' }, 'expires_at'],
    [{ name: 'CI', expires_at: 4_000_000_000_000 }, 'expires_at'],
    [{ name: 'CI', role: 'owner' }, 'role'],
  ])('POST /auth/tokens rejects %j', async (body, field) => {
    const { call } = await start();
    const response = await call('POST', 'auth/tokens', { body });
    expect([response.status, response.body.errors?.[0]?.path]).toEqual([422, field]);
  });

  test('an unknown personal access token is invalid', async () => {
    const { call } = await start();
    for (const token of ['pat_', `pat_${'x'.repeat(43)}`])
      expect((await call('GET', 'projects', { token })).body.code).toBe('invalid_token');
  });
});

test('an expired personal access token is rejected with expired_token', async () => {
  let now = Date.UTC(2026, 10, 20);
  const { call, close } = await openService({}, { now: () => now });
  const { token } = await createPersonalToken(call, { body: { name: 'CI', expires_at: '2026-11-21T00:00:00Z' } });
  now += 24 * 3_600_000 - 1;
  expect((await call('GET', 'projects', { token })).status).toBe(200);
  now += 1;
  const late = await call('GET', 'projects', { token });
  expect([late.status, late.body.code, late.headers.get('www-authenticate')]).toEqual([401, 'expired_token', 'Bearer']);
  expect((await call<Page<PersonalToken>>('GET', 'auth/tokens')).body.items).toHaveLength(1);
  await close();
});
