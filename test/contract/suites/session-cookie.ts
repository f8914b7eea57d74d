import { expect, vi } from 'vitest';
import { openCookieSession, type SessionCookie } from '../session-calls.ts';
import type { Suite } from '../suite.ts';

const hourMs = 3_600_000;

const withCookie = (
  cookie: SessionCookie,
  headers: Record<string, string> = {},
): { token: null; headers: Record<string, string> } => ({
  token: null,
  headers: { cookie: cookie.pair, ...headers },
});

/** The session cookie of the dashboard. */
export const sessionCookie: Suite = {
  name: 'session cookie',
  // Hashing passwords is slow, and only the few tests with their own targets depend on the storage.
  targets: ['memory'],
  tests: [
    {
      title: 'a session sets an HttpOnly, SameSite=Strict cookie that authenticates requests',
      covers: ['auth.session.cookie', 'auth.session.reads', 'auth.open'],
      targets: ['memory', 'program'],
      async run(context) {
        const person = await context.signUp();
        const cookie = await openCookieSession(context, person);
        expect(cookie.attributes).toEqual(expect.arrayContaining(['httponly', 'samesite=strict']));
        expect(cookie.attributes.filter((attribute) => attribute.startsWith('domain='))).toEqual([]);
        expect(await context.send(200, 'GET', 'auth/me', withCookie(cookie))).toMatchObject({ email: person.email });
        expect(await context.outcome('GET', 'projects', withCookie({ ...cookie, pair: `${cookie.pair}x` }))).toBe(
          'invalid_token',
        );
        const wrong = await context.call('POST', 'auth/session', {
          token: null,
          body: { email: person.email, password: 'wrong password' },
        });
        expect([wrong.body.code, wrong.headers.getSetCookie()]).toEqual(['invalid_credentials', []]);
      },
    },
    {
      title: 'a write with the cookie needs a same-origin request',
      covers: ['auth.session.csrf', 'problem.forbidden'],
      targets: ['memory', 'program'],
      async run(context) {
        const cookie = await openCookieSession(context);
        const own = new URL(context.server.url).origin;
        const write = (headers: Record<string, string>): Promise<string | number> =>
          context.outcome('POST', 'projects', { body: { name: 'Shop' }, ...withCookie(cookie, headers) });
        for (const headers of [
          {},
          { origin: 'https://evil.example' },
          { origin: 'null' },
          { origin: `${own}.evil.example` },
          { 'sec-fetch-site': 'cross-site' },
          { 'sec-fetch-site': 'same-site' },
          { 'sec-fetch-site': 'none', origin: 'https://evil.example' },
          { referer: `${own}/` },
        ])
          expect([headers, await write(headers as Record<string, string>)]).toEqual([headers, 'forbidden']);
        expect(await write({ origin: own })).toBe(201);
        expect(await write({ 'sec-fetch-site': 'same-origin' })).toBe(201);
      },
    },
    {
      title: 'the origin of a cookie write is checked right after the token',
      covers: ['auth.session.csrf_order', 'conv.order'],
      async run(context) {
        const cookie = await openCookieSession(context);
        for (const [method, path] of [
          ['DELETE', 'projects/900000000000'],
          ['PUT', 'projects/900000000000'],
          ['POST', 'members'],
          ['PATCH', 'errors/900000000000/status'],
          ['PATCH', 'auth/me'],
          ['POST', 'auth/tokens'],
          ['DELETE', 'auth/session'],
        ] as const)
          expect([path, await context.outcome(method, path, withCookie(cookie))]).toEqual([path, 'forbidden']);
        expect(
          await context.outcome('DELETE', 'projects/900000000000', withCookie({ ...cookie, pair: `${cookie.pair}x` })),
        ).toBe('invalid_token');
        expect(
          await context.outcome(
            'DELETE',
            'projects/900000000000',
            withCookie(cookie, { origin: new URL(context.server.url).origin }),
          ),
        ).toBe('project_not_found');
        expect(await context.outcome('GET', 'projects/900000000000', withCookie(cookie))).toBe('project_not_found');
      },
    },
    {
      title: 'a Bearer token needs no origin, even with a cookie in the request',
      covers: ['auth.bearer', 'auth.session.csrf'],
      async run(context) {
        const cookie = await openCookieSession(context);
        const options = {
          token: await context.fixture('member'),
          headers: { cookie: cookie.pair },
          body: { name: 'Shop' },
        };
        expect(await context.outcome('POST', 'projects', options)).toBe(201);
      },
    },
    {
      title: 'DELETE /auth/session invalidates only its cookie, immediately',
      covers: ['auth.session.end'],
      async run(context) {
        const person = await context.signUp();
        const [cookie, other] = [await openCookieSession(context, person), await openCookieSession(context, person)];
        const ended = await context.call(
          'DELETE',
          'auth/session',
          withCookie(cookie, { origin: new URL(context.server.url).origin }),
        );
        expect(ended.status).toBe(204);
        expect(await context.outcome('GET', 'projects', withCookie(cookie))).toBe('invalid_token');
        expect(await context.outcome('GET', 'projects', withCookie(other))).toBe(200);
        expect(await context.outcome('GET', 'projects', { token: person.access_token })).toBe(200);
      },
    },
    {
      title: 'the cookie expires 12 hours after its last use and after 30 days at the latest',
      covers: ['auth.session.sliding', 'auth.session.longest'],
      controlsClock: true,
      async run(context) {
        const [idle, used] = [await openCookieSession(context), await openCookieSession(context)];
        const use = (cookie: SessionCookie): Promise<string | number> =>
          context.outcome('GET', 'projects', withCookie(cookie));
        vi.setSystemTime(Date.now() + 11.5 * hourMs);
        expect([await use(idle), await use(used)]).toEqual([200, 200]);
        vi.setSystemTime(Date.now() + 11.5 * hourMs);
        expect(await use(used)).toBe(200);
        vi.setSystemTime(Date.now() + hourMs);
        expect(await use(idle)).toMatch(/invalid_token|expired_token/);
        for (let hours = 24; hours < 30 * 24 - 12; hours += 11) {
          expect([hours, await use(used)]).toEqual([hours, 200]);
          vi.setSystemTime(Date.now() + 11 * hourMs);
        }
        expect(await use(used)).toBe(200);
        vi.setSystemTime(Date.now() + 11.9 * hourMs);
        await use(used);
        vi.setSystemTime(Date.now() + 11.9 * hourMs);
        expect(await use(used)).toMatch(/invalid_token|expired_token/);
      },
    },
  ],
};
