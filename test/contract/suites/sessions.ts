import { createHmac } from 'node:crypto';
import { expect, vi } from 'vitest';
import type { Json } from '../api-call.ts';
import { canUseApi, expectSessionEnded, refresh, tokenPair } from '../session-calls.ts';
import type { Suite } from '../suite.ts';

const minuteMs = 60_000;

/** Access tokens, refresh tokens and logout. */
export const sessions: Suite = {
  name: 'sessions',
  // Hashing passwords is slow, and only the few tests with their own targets depend on the storage.
  targets: ['memory'],
  tests: [
    {
      title: 'a refresh token returns a new pair once; its reuse ends the session',
      covers: [
        'auth.refresh.pair',
        'auth.refresh.once',
        'auth.refresh.reuse',
        'auth.refresh.others',
        'auth.used',
        'auth.open',
      ],
      async run(context) {
        const first = await context.createSession();
        const other = await context.createSession();
        const second = await refresh(context, first.refresh_token);
        expect([second.status, second.body]).toEqual([200, tokenPair]);
        expect(second.body.refresh_token).not.toBe(first.refresh_token);
        expect(await canUseApi(context, second.body)).toBe(true);
        const third = await refresh(context, second.body.refresh_token);
        expect(third.status).toBe(200);
        const again = await refresh(context, first.refresh_token);
        expect([again.status, again.body.code]).toEqual([401, 'invalid_token']);
        for (const session of [second.body, third.body]) await expectSessionEnded(context, session);
        expect(await context.outcome('GET', 'projects', { token: first.access_token })).toBe('invalid_token');
        expect(await canUseApi(context, other)).toBe(true);
        expect((await refresh(context, other.refresh_token)).status).toBe(200);
      },
    },
    {
      title: 'a refresh token used by concurrent requests ends its session',
      covers: ['auth.refresh.race', 'auth.refresh.reuse'],
      async run(context) {
        const first = await context.createSession();
        const responses = await Promise.all(Array.from({ length: 20 }, () => refresh(context, first.refresh_token)));
        const given = responses.filter(({ status }) => status === 200);
        expect(given.length).toBeLessThanOrEqual(1);
        expect(responses.filter(({ status }) => status === 401)).toHaveLength(20 - given.length);
        for (const { body } of given) await expectSessionEnded(context, body);
        await expectSessionEnded(context, first);
      },
    },
    {
      title: 'a used refresh token stays used after a restart',
      covers: ['auth.refresh.once', 'auth.jwt.restart'],
      needsOwnServer: true,
      targets: ['file'],
      async run(context) {
        const first = await context.createSession();
        const second = await refresh(context, first.refresh_token);
        await context.restart();
        expect(await canUseApi(context, second.body)).toBe(true);
        expect((await refresh(context, first.refresh_token)).status).toBe(401);
        await expectSessionEnded(context, second.body);
      },
    },
    {
      title: 'logout ends the session immediately',
      covers: ['auth.logout.bearer', 'auth.logout.refresh', 'auth.logout.both_dead', 'conv.no_body.logout'],
      async run(context) {
        const stored = await context.createSession();
        const text = { 'content-type': 'text/plain' };
        for (const options of [
          {},
          { body: {} },
          { body: '' },
          { headers: { 'content-type': 'application/json' } },
          { body: '{}', headers: text },
        ]) {
          const session = await context.createSession();
          await context.send(204, 'POST', 'auth/logout', { token: session.access_token, ...options });
          await expectSessionEnded(context, session);
        }
        const alone = await context.createSession();
        await context.send(204, 'POST', 'auth/logout', { token: null, body: { refresh_token: alone.refresh_token } });
        await expectSessionEnded(context, alone);
        expect(await canUseApi(context, stored)).toBe(true);
        expect(await context.outcome('POST', 'auth/logout', { token: null })).toBe('missing_token');
        expect(await context.outcome('POST', 'auth/logout', { token: null, body: {} })).toBe('missing_token');
        expect(await context.outcome('POST', 'auth/logout', { token: 'made-up-token-0123456789' })).toBe(
          'invalid_token',
        );
      },
    },
    {
      title: 'access tokens are JWTs that expire after 15 minutes',
      covers: ['auth.jwt.minutes', 'auth.jwt.expired', 'problem.expired_token', 'problem.bearer'],
      controlsClock: true,
      async run(context) {
        const { access_token: token } = await context.createSession();
        const [head = '', claims = ''] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
        expect(JSON.parse(head).alg).not.toBe('none');
        const { iat, exp } = JSON.parse(claims);
        expect(exp - iat).toBe(900);
        vi.setSystemTime(Date.now() + 14.9 * minuteMs);
        expect(await context.outcome('GET', 'projects', { token })).toBe(200);
        vi.setSystemTime(Date.now() + 0.2 * minuteMs);
        expect(await context.outcome('GET', 'projects', { token })).toBe('expired_token');
      },
    },
    {
      title: 'a token with another algorithm, key or signature is rejected',
      covers: ['auth.jwt.pinned'],
      async run(context) {
        const { access_token: token } = await context.createSession();
        const [head = '', claims = '', signature = ''] = token.split('.');
        const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
        const decoded: Json = JSON.parse(Buffer.from(claims, 'base64url').toString());
        const sign = (unsigned: string, key: string): string =>
          `${unsigned}.${createHmac('sha256', key).update(unsigned).digest('base64url')}`;
        for (const forged of [
          `${encode({ alg: 'none' })}.${claims}.`,
          `${encode({ alg: 'none' })}.${claims}.${signature}`,
          `${encode({ alg: 'NONE' })}.${claims}.`,
          sign(`${encode({ alg: 'HS256' })}.${claims}`, ''),
          sign(`${encode({ alg: 'HS256' })}.${claims}`, 'secret'),
          sign(`${encode({ alg: 'HS256', typ: 'JWT' })}.${claims}`, head),
          `${encode({ alg: 'RS256' })}.${claims}.${signature}`,
          `${head}.${encode({ ...decoded, exp: decoded.exp + 900 })}.${signature}`,
          `${head}.${claims}.${signature.slice(0, -2)}`,
          `${head}.${claims}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
          `${head}.${claims}`,
          `${head}.${claims}.`,
          `${token}.${signature}`,
        ])
          expect([forged, await context.outcome('GET', 'projects', { token: forged })]).toEqual([
            forged,
            'invalid_token',
          ]);
      },
    },
  ],
};
