import { describe, expect, test } from 'vitest';
import { SignInLimits } from '../../src/limits/sign-in-limits.ts';
import { owner } from '../accounts/sign-in-browser.ts';
import { useRealPasswordCost } from '../test-utils/password-cost.ts';
import { describeShared, type TestResponse } from '../test-utils/describe-service.ts';
import { openService, type OpenService } from '../test-utils/open-service.ts';

const minuteMs = 60_000;
const local = '127.0.0.1';
const wrong = { ...owner, password: 'wrong' };

interface SignInService extends OpenService {
  login(body: object, address?: string): Promise<TestResponse>;
  /** Counts a wrong password without the cost of comparing one. */
  fail(email: string): void;
}

/** Opens a service that takes the client's address from the `X-Forwarded-For` header. */
async function open(time: { now: number }): Promise<SignInService> {
  const service = await openService({ trustProxy: ['loopback'] }, { now: () => time.now });
  return {
    ...service,
    login: (body, address = local) =>
      service.call('POST', 'auth/login', { token: null, body, headers: { 'x-forwarded-for': address } }),
    fail: (email) => service.services.signInLimits.attempt(email, local).end(false),
  };
}

describe('sign-in limits', () => {
  test('ten wrong passwords for one e-mail from one address block only that pair', async () => {
    const time = { now: Date.UTC(2026, 10, 21) };
    const { login, fail, close } = await open(time);
    for (let failures = 0; failures < 8; failures++) {
      fail(owner.email);
      time.now += minuteMs;
    }
    for (const email of [owner.email, ' ADMIN@localhost ']) {
      const { status, body } = await login({ ...wrong, email });
      expect([status, body.code]).toEqual([401, 'invalid_credentials']);
      time.now += minuteMs;
    }
    for (const body of [wrong, owner]) {
      const limited = await login(body);
      expect([limited.status, limited.body.code]).toEqual([429, 'too_many_requests']);
      expect(limited.headers.get('retry-after')).toBe('300');
    }
    expect((await login(owner, '192.0.2.1')).status).toBe(200);
    expect((await login({ ...wrong, email: 'other@shop.example' })).status).toBe(401);

    // The first of the ten failures expires after 15 minutes, which allows one more attempt.
    time.now += 5 * minuteMs - 1;
    expect((await login(owner)).headers.get('retry-after')).toBe('1');
    time.now += 1;
    expect((await login(wrong)).status).toBe(401);
    expect((await login(wrong)).status).toBe(429);
    time.now += minuteMs;
    expect((await login(owner)).status).toBe(200);
    await close();
  });

  test('the correct password resets the count of wrong passwords', async () => {
    const { login, fail, close } = await open({ now: Date.UTC(2026, 10, 21) });
    for (let failures = 0; failures < 9; failures++) fail(owner.email);
    expect((await login(owner)).status).toBe(200);
    for (let failures = 0; failures < 9; failures++) fail(owner.email);
    expect((await login(wrong)).status).toBe(401);
    expect((await login(owner)).status).toBe(429);
    await close();
  });

  test('a failed sign-in does not reveal whether the e-mail has an account', async () => {
    const { login, fail, close } = await open({ now: Date.UTC(2026, 10, 21) });
    const failureOf = async (email: string) => {
      const { status, body, headers } = await login({ email, password: 'wrong' });
      const { request_id: _, ...rest } = body;
      return { status, rest, retryAfter: headers.get('retry-after') };
    };
    for (let failures = 0; failures < 9; failures++)
      for (const email of [owner.email, 'unknown@shop.example']) fail(email);
    for (let failures = 9; failures < 11; failures++)
      expect(await failureOf(owner.email)).toEqual(await failureOf('unknown@shop.example'));
    expect((await failureOf('unknown@shop.example')).status).toBe(429);
    await close();
  });

  test('fifty wrong passwords from one address block that address', async () => {
    const { login, fail, close } = await open({ now: Date.UTC(2026, 10, 21) });
    for (let failures = 0; failures < 49; failures++) fail(`${failures}@shop.example`);
    expect((await login({ ...wrong, email: 'fiftieth@shop.example' })).status).toBe(401);
    const limited = await login(owner);
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '900']);
    expect((await login(owner, '192.0.2.1')).status).toBe(200);
    await close();
  });

  test('password changes and browser sign-ins share the count of wrong passwords', async () => {
    const { call, login, fail, close } = await open({ now: Date.UTC(2026, 10, 21) });
    const headers = { 'x-forwarded-for': local };
    for (let failures = 0; failures < 8; failures++) fail(owner.email);
    const guess = { password: 'a new password', current_password: 'wrong' };
    expect((await call('PATCH', 'auth/me', { body: guess, headers })).status).toBe(401);
    expect((await call('POST', 'auth/session', { token: null, body: wrong, headers })).status).toBe(401);
    const body = { password: 'a new password', current_password: owner.password };
    expect((await call('PATCH', 'auth/me', { body, headers })).status).toBe(429);
    expect((await call('POST', 'auth/session', { token: null, body: owner, headers })).status).toBe(429);
    expect((await login(owner)).status).toBe(429);
    await close();
  });
});

describe('at the cost of real passwords', () => {
  useRealPasswordCost();

  describeShared(
    'concurrent wrong passwords',
    (service) => {
      test('concurrent wrong passwords are limited by the address that a trusted proxy forwards', async () => {
        const { call } = service();
        const login = (body: object, client: string) =>
          call('POST', 'auth/login', { token: null, body, headers: { 'x-forwarded-for': `203.0.113.9, ${client}` } });
        const flood = Array.from({ length: 15 }, () => login(wrong, '198.51.100.7'));
        const statuses = (await Promise.all(flood)).map(({ status }) => status);
        expect(statuses.filter((status) => status === 401)).toHaveLength(10);
        expect(statuses.filter((status) => status === 429)).toHaveLength(5);
        expect((await login(owner, '198.51.100.7')).status).toBe(429);
        expect((await login(owner, '198.51.100.8')).status).toBe(200);
      });
    },
    { trustProxy: ['loopback'] },
  );

  describeShared(
    'many concurrent requests from one address',
    (service) => {
      const post = (path: string, body: object, client: string) =>
        service().call('POST', path, { token: null, body, headers: { 'x-forwarded-for': client } });

      test('many sign-ins from one address do not keep another address from signing in', async () => {
        let compared = 0;
        const flood = Array.from({ length: 60 }, async () => {
          const response = await post('auth/login', wrong, '198.51.100.9');
          if (response.status === 401) compared++;
          return response;
        });
        expect((await post('auth/login', owner, '198.51.100.10')).status).toBe(200);
        // The other sign-in does not wait until all ten are compared.
        expect(compared).toBeLessThan(10);
        expect(new Set((await Promise.all(flood)).map(({ status }) => status))).toEqual(new Set([401, 429, 503]));
      });

      test('many registrations from one address do not keep another address from registering', async () => {
        const register = (name: string, client: string) =>
          post('auth/register', { email: `${name}@shop.example`, password: 'correct horse battery' }, client);
        const flood = Array.from({ length: 30 }, (_, index) => register(`bot${index}`, `2001:db8:0:1::${index + 1}`));
        const other = register('ann', '2001:db8:0:2::1');
        expect((await other).status).toBe(201);
        expect(new Set((await Promise.all(flood)).map(({ status }) => status))).toEqual(new Set([201, 503]));
      });
    },
    { trustProxy: ['loopback'], registration: 'open' },
  );
});

describe('SignInLimits', () => {
  const isLimited = (limits: SignInLimits, email: string, address: string): boolean => {
    try {
      limits.attempt(email, address).begin();
      return false;
    } catch {
      return true;
    }
  };

  test('sign-in limits count the addresses of one IPv6 /64 network as one', () => {
    const limits = new SignInLimits(() => 1_000_000);
    const address = (index: number): string => `2001:db8:0:1::${index.toString(16)}`;
    for (let index = 0; index < 200; index++) {
      expect(isLimited(limits, 'a@b.example', address(index))).toBe(false);
      limits.attempt('a@b.example', address(index)).end(false);
    }
    expect(isLimited(limits, 'a@b.example', address(999))).toBe(true);
    expect(isLimited(limits, 'a@b.example', '2001:db8:0:1:ffff::1')).toBe(true);
    expect(isLimited(limits, 'a@b.example', '2001:db8:0:2::1')).toBe(false);
  });

  test('sign-in limits reset if the clock is set back', () => {
    const time = { now: 10_000_000 };
    const limits = new SignInLimits(() => time.now);
    for (let failures = 0; failures < 10; failures++) limits.attempt('a@b.example', local).end(false);
    expect(isLimited(limits, 'a@b.example', local)).toBe(true);
    time.now -= 60 * minuteMs;
    expect(isLimited(limits, 'a@b.example', local)).toBe(false);
  });

  test('sign-in limits keep a bounded number of entries', () => {
    const time = { now: 0 };
    const limits = new SignInLimits(() => time.now);
    for (let index = 0; index < 300_000; index++) {
      time.now++;
      limits.attempt(`${index}@shop.example`, `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`).end(false);
    }
    expect(limits.size).toBeLessThanOrEqual(20_000);
    time.now += 15 * minuteMs;
    limits.attempt('last@shop.example', local).end(false);
    time.now += 15 * minuteMs;
    limits.attempt('last@shop.example', local).end(false);
    expect(limits.size).toBe(2);
  });
});
