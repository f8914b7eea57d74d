import type { Tokens } from '@service/protocol';
import { describe, expect, test, vi } from 'vitest';
import { hashPassword } from '../../src/credentials/password.ts';
import { useRealPasswordCost } from '../test-utils/password-cost.ts';
import { describeInMemory, describeService } from '../test-utils/describe-service.ts';
import { openService } from '../test-utils/open-service.ts';

describeService('sign-in', (start) => {
  test('the first owner signs in with an e-mail in any case and gets an access token', async () => {
    const { call } = await start();
    const { status, body } = await call<Tokens>('POST', 'auth/login', {
      token: null,
      body: { email: 'Admin@LocalHost', password: 'correct horse battery' },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
      refresh_token: expect.any(String),
    });
    expect((await call('GET', 'projects', { token: body.access_token })).status).toBe(200);
  });

  test('a sign-in link works once, also when it is used concurrently', async () => {
    const { call, service } = await start();
    const link = new URL(await service.signInLink('https://errors.example'));
    expect(link.origin).toBe('https://errors.example');
    const token = link.hash.replace('#sign-in=', '');
    const responses = await Promise.all(
      [1, 2, 3].map(() => call<Tokens>('POST', 'auth/links/use', { token: null, body: { token } })),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
    const signedIn = responses.find(({ status }) => status === 200);
    expect((await call('GET', 'projects', { token: signedIn?.body.access_token ?? '' })).status).toBe(200);
  });

  test('an access token survives a restart', async () => {
    const { call, restart, service } = await start();
    if (service.storage.name === 'memory:') return;
    const { body } = await call<Tokens>('POST', 'auth/login', {
      token: null,
      body: { email: 'admin@localhost', password: 'correct horse battery' },
    });
    await restart();
    expect((await call('GET', 'projects', { token: body.access_token })).status).toBe(200);
    expect(service.firstStart).not.toBeNull();
  });
});

describeInMemory('many concurrent sign-ins', (start) => {
  useRealPasswordCost();

  test('many concurrent sign-ins do not delay reports, and most are rejected', async () => {
    const { call, report } = await start();
    let isOver = false;
    const body = { email: 'unknown@shop.example', password: 'wrong' };
    const flood = Promise.all(Array.from({ length: 60 }, () => call('POST', 'auth/login', { token: null, body })));
    void flood.then(() => (isOver = true));
    await report();
    expect(isOver).toBe(false);
    const statuses = (await flood).map(({ status }) => status);
    // Ten of the sign-ins in the queue fail as wrong passwords. The limit rejects the others in the queue with 429, and
    // a full queue rejects further ones with 503.
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(new Set(statuses)).toEqual(new Set([401, 429, 503]));
  });
});

test('a password is hashed as OWASP recommends', async () => {
  // A separate copy of the module has the cost of real servers.
  vi.resetModules();
  const password = await import('../../src/credentials/password.ts');
  expect(await password.hashPassword('correct horse battery', 'me')).toMatch(/^scrypt\$32768\$8\$3\$/);
});

describe('a password hash with outdated parameters', () => {
  test('a password hash with outdated parameters is replaced at the next sign-in', async () => {
    const { call, services, close } = await openService();
    const password = 'correct horse battery';
    const weak = await hashPassword(password, 'a salt', { N: 8, r: 8, p: 1 });
    await services.store.commit((transaction) => {
      const user = transaction.get('users', 1);
      if (user) transaction.put('users', { ...user, password: weak });
    });
    const stored = () => services.store.model.tables.users.get(1)?.password;
    const login = async (given: string) =>
      (await call('POST', 'auth/login', { token: null, body: { email: 'admin@localhost', password: given } })).status;
    expect(await login('wrong')).toBe(401);
    expect(stored()).toBe(weak);
    expect(await login(password)).toBe(200);
    const strong = stored();
    expect(strong).toMatch(/^scrypt\$16\$8\$3\$/);
    expect(await login(password)).toBe(200);
    expect(await login('wrong')).toBe(401);
    expect(stored()).toBe(strong);
    await close();
  });
});

describeInMemory('the first start', (start) => {
  test('the first start generates and shows a password if none is configured', async () => {
    const { call, service } = await start({ adminPassword: null, adminEmail: 'me@shop.example' });
    expect(service.firstStart).toEqual({
      email: 'me@shop.example',
      password: expect.stringMatching(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/),
    });
    const { status } = await call('POST', 'auth/login', {
      token: null,
      body: { email: 'me@shop.example', password: service.firstStart?.password },
    });
    expect(status).toBe(200);
  });

  test('every token is invalid if no operator token is configured', async () => {
    const { call } = await start({ adminToken: null });
    expect((await call('GET', 'projects')).body.code).toBe('invalid_token');
  });
});
