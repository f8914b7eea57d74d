import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { expect, vi } from 'vitest';
import type { ApiResponse } from '../api-call.ts';
import { adminPassword, freshEmail, password } from '../credentials.ts';
import { canUseApi, login, tokenPair } from '../session-calls.ts';
import type { Suite } from '../suite.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Sign-in by password and by link, and the limits for failures. */
export const signIn: Suite = {
  name: 'sign-in',
  // Hashing passwords is slow, and only the few tests with their own targets depend on the storage.
  targets: ['memory'],
  tests: [
    {
      title: 'login returns tokens that authenticate API requests',
      covers: ['auth.login.tokens', 'auth.first_owner', 'auth.bearer'],
      async run(context) {
        const { status, body } = await login(context, 'Admin@LocalHost', adminPassword);
        expect([status, body]).toEqual([200, tokenPair]);
        expect(await canUseApi(context, body)).toBe(true);
        expect(await context.send(200, 'GET', 'auth/me', { token: body.access_token })).toMatchObject({
          email: 'admin@localhost',
          role: 'owner',
        });
        expect(await context.outcome('GET', 'projects', { token: body.refresh_token })).toBe('invalid_token');
      },
    },
    {
      title: 'login responds identically to a wrong password and an unknown e-mail address',
      covers: ['auth.login.wrong', 'problem.invalid_credentials'],
      async run(context) {
        const email = 'admin@localhost';
        const [wrong, unknown] = [
          await login(context, email, 'wrong password'),
          await login(context, freshEmail(), 'wrong password'),
        ];
        expect(wrong.body.code).toBe('invalid_credentials');
        expect([wrong.status, unknown.status]).toEqual([401, 401]);
        expect({ ...wrong.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
        const invited = freshEmail();
        await context.invite('member', undefined, invited);
        expect((await login(context, invited, 'wrong password')).body.code).toBe('invalid_credentials');
      },
    },
    {
      title: 'login takes equally long for an unknown e-mail address and a wrong password',
      covers: ['auth.login.time'],
      needsOwnServer: true,
      targets: ['memory'],
      async run(context) {
        // The hash takes nearly all of the time, so equal hashes take equally long.
        const scrypt = vi.spyOn(crypto, 'scrypt');
        syncBuiltinESMExports();
        try {
          const hashesOf = async (address: string): Promise<unknown[]> => {
            scrypt.mockClear();
            await login(context, address, 'wrong password');
            return scrypt.mock.calls.map(([guess, salt, bytes, options]) => [
              guess,
              Buffer.from(salt as Buffer).length,
              bytes,
              options,
            ]);
          };
          const hashes = await hashesOf('admin@localhost');
          expect(hashes).toHaveLength(1);
          expect(await hashesOf(freshEmail())).toEqual(hashes);
        } finally {
          scrypt.mockRestore();
          syncBuiltinESMExports();
        }
      },
    },
    {
      title: '10 failed sign-ins block an e-mail address for 15 minutes, but no other address',
      covers: [
        'auth.login.limit.pair',
        'auth.login.limit.others',
        'auth.login.limit.window',
        'problem.too_many_requests',
      ],
      controlsClock: true,
      // Failures are counted in memory on every storage.
      targets: ['memory'],
      async run(context) {
        const { email } = await context.signUp();
        for (let times = 0; times < 10; times++)
          expect((await login(context, email, 'wrong password')).status).toBe(401);
        const rejected = await login(context, email, password);
        expect([rejected.status, rejected.body.code]).toEqual([429, 'too_many_requests']);
        expect(Number(rejected.headers.get('retry-after'))).toBeLessThanOrEqual(900);
        expect((await login(context, email.toUpperCase(), password)).status).toBe(429);
        expect((await login(context, 'admin@localhost', adminPassword)).status).toBe(200);
        vi.setSystemTime(Date.now() + 15 * minuteMs + 1_000);
        expect((await login(context, email, password)).status).toBe(200);
      },
    },
    {
      title: 'a successful sign-in resets the failures of the e-mail address',
      covers: ['auth.login.limit.reset'],
      needsOwnServer: true,
      onlyInFullRun: true,
      async run(context) {
        const { email } = await context.signUp();
        for (let times = 0; times < 9; times++)
          expect((await login(context, email, 'wrong password')).status).toBe(401);
        expect((await login(context, email, password)).status).toBe(200);
        for (let times = 0; times < 3; times++)
          expect((await login(context, email, 'wrong password')).status).toBe(401);
      },
    },
    {
      title: '50 failed sign-ins block a client address for every e-mail address',
      covers: ['auth.login.limit.address'],
      needsOwnServer: true,
      onlyInFullRun: true,
      async run(context) {
        for (let times = 0; times < 50; times++)
          expect((await login(context, `unknown-${times % 25}@contract.example`, 'wrong password')).status).toBe(401);
        expect((await login(context, 'admin@localhost', adminPassword)).body.code).toBe('too_many_requests');
      },
    },
    {
      title: 'the sign-in limit uses the socket address and ignores forwarding headers',
      covers: ['auth.login.limit.socket', 'auth.login.limit.pair'],
      needsOwnServer: true,
      onlyInFullRun: true,
      targets: ['program'],
      async run(context) {
        const email = freshEmail();
        const from = (index: number): Record<string, string> => ({
          'x-forwarded-for': `203.0.113.${index}`,
          forwarded: `for=203.0.113.${index}`,
          'x-real-ip': `203.0.113.${index}`,
        });
        for (let index = 0; index < 10; index++)
          expect((await login(context, email, 'wrong password', from(index))).status).toBe(401);
        expect((await login(context, email, 'wrong password', from(10))).body.code).toBe('too_many_requests');
      },
    },
    {
      title: 'the sign-in limit uses the address that a trusted proxy reports',
      covers: ['auth.login.limit.proxy'],
      settings: { trustProxy: '127.0.0.1' },
      needsOwnServer: true,
      onlyInFullRun: true,
      targets: ['program'],
      async run(context) {
        const email = freshEmail();
        const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });
        for (let index = 0; index < 10; index++)
          // Clients can forge every entry before the one that the proxy appended.
          expect((await login(context, email, 'wrong password', from(`198.51.100.${index}, 203.0.113.1`))).status).toBe(
            401,
          );
        expect((await login(context, email, 'wrong password', from('203.0.113.1'))).body.code).toBe(
          'too_many_requests',
        );
        expect((await login(context, email, 'wrong password', from('203.0.113.2'))).body.code).toBe(
          'invalid_credentials',
        );
      },
    },
    {
      title: 'a sign-in link works once, even under concurrent use',
      covers: ['auth.links.use', 'auth.links.once', 'auth.used'],
      targets: ['memory', 'file'],
      async run(context) {
        const token = await context.createSignInLink();
        const use = (): Promise<ApiResponse> =>
          context.call('POST', 'auth/links/use', { token: null, body: { token } });
        const responses = await Promise.all(Array.from({ length: 10 }, use));
        const [used, ...more] = responses.filter(({ status }) => status === 200);
        expect([used?.body, more]).toEqual([tokenPair, []]);
        expect(await canUseApi(context, used?.body)).toBe(true);
        expect((await use()).body.code).toBe('invalid_token');
      },
    },
    {
      title: 'sign-in links and invitations expire after 24 hours',
      covers: ['auth.links.expire', 'auth.invitations.expire', 'auth.used'],
      controlsClock: true,
      async run(context) {
        const use = (token: string): Promise<string | number> =>
          context.outcome('POST', 'auth/links/use', { token: null, body: { token } });
        const accept = (token: string): Promise<string | number> =>
          context.outcome('POST', 'auth/invitations/accept', { token: null, body: { token, password } });
        const [early, late, guest, lateGuest] = [
          await context.createSignInLink(),
          await context.createSignInLink(),
          await context.invite('viewer'),
          await context.invite('viewer'),
        ];
        vi.setSystemTime(Date.now() + 24 * hourMs - minuteMs);
        expect([await use(early), await accept(guest)]).toEqual([200, 201]);
        vi.setSystemTime(Date.now() + 2 * minuteMs);
        expect([await use(late), await accept(lateGuest)]).toEqual(['invalid_token', 'invalid_token']);
      },
    },
  ],
};
