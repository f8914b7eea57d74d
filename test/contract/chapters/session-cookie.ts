import { expect, vi } from 'vitest';
import type { Answer } from '../answer.ts';
import type { Chapter } from '../chapter.ts';
import { adminPassword } from '../places.ts';
import type { Person, Scene } from '../scene.ts';

const hourMs = 3_600_000;

interface Cookie {
  /** `name=value`, as a browser sends it. */
  pair: string;
  attributes: string[];
}

async function openSession(scene: Scene, person?: Person): Promise<Cookie> {
  const body = { email: person?.email ?? 'admin@localhost', password: person?.password ?? adminPassword };
  const answer = await scene.call('POST', 'auth/session', { token: null, body });
  expect(answer.status, answer.text).toBe(204);
  return readCookie(answer);
}

function readCookie({ headers }: Answer): Cookie {
  const [cookie = '', ...more] = headers.getSetCookie();
  expect(more).toEqual([]);
  const [pair = '', ...attributes] = cookie.split(/; */);
  return { pair, attributes: attributes.map((attribute) => attribute.toLowerCase()) };
}

const by = (
  cookie: Cookie,
  headers: Record<string, string> = {},
): { token: null; headers: Record<string, string> } => ({
  token: null,
  headers: { cookie: cookie.pair, ...headers },
});

/** The cookie of the dashboard. */
export const sessionCookie: Chapter = {
  name: 'session cookie',
  // Passwords are made slow, and what a storage could do to them is shown by a few tests.
  places: ['memory'],
  tests: [
    {
      title: 'a session opens the API by a cookie that scripts and other sites do not get',
      proves: ['auth.session.cookie', 'auth.session.reads', 'auth.open'],
      places: ['memory', 'program'],
      async run(scene) {
        const person = await scene.signUp();
        const cookie = await openSession(scene, person);
        expect(cookie.attributes).toEqual(expect.arrayContaining(['httponly', 'samesite=strict']));
        expect(cookie.attributes.filter((attribute) => attribute.startsWith('domain='))).toEqual([]);
        expect(await scene.get(200, 'GET', 'auth/me', by(cookie))).toMatchObject({ email: person.email });
        expect(await scene.codeOf('GET', 'projects', by({ ...cookie, pair: `${cookie.pair}x` }))).toBe('invalid_token');
        const wrong = await scene.call('POST', 'auth/session', {
          token: null,
          body: { email: person.email, password: 'wrong password' },
        });
        expect([wrong.body.code, wrong.headers.getSetCookie()]).toEqual(['invalid_credentials', []]);
      },
    },
    {
      title: 'a write by cookie has to come from the own origin',
      proves: ['auth.session.csrf', 'problem.forbidden'],
      places: ['memory', 'program'],
      async run(scene) {
        const cookie = await openSession(scene);
        const own = new URL(scene.server.url).origin;
        const write = (headers: Record<string, string>): Promise<string | number> =>
          scene.codeOf('POST', 'projects', { body: { name: 'Shop' }, ...by(cookie, headers) });
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
      title: 'that is told right after the token check',
      proves: ['auth.session.csrf_order', 'conv.order'],
      async run(scene) {
        const cookie = await openSession(scene);
        for (const [method, path] of [
          ['DELETE', 'projects/900000000000'],
          ['PUT', 'projects/900000000000'],
          ['POST', 'members'],
          ['PATCH', 'errors/900000000000/status'],
          ['PATCH', 'auth/me'],
          ['POST', 'auth/tokens'],
          ['DELETE', 'auth/session'],
        ] as const)
          expect([path, await scene.codeOf(method, path, by(cookie))]).toEqual([path, 'forbidden']);
        expect(await scene.codeOf('DELETE', 'projects/900000000000', by({ ...cookie, pair: `${cookie.pair}x` }))).toBe(
          'invalid_token',
        );
        expect(
          await scene.codeOf(
            'DELETE',
            'projects/900000000000',
            by(cookie, { origin: new URL(scene.server.url).origin }),
          ),
        ).toBe('project_not_found');
        expect(await scene.codeOf('GET', 'projects/900000000000', by(cookie))).toBe('project_not_found');
      },
    },
    {
      title: 'a Bearer goes without an origin, also beside a cookie',
      proves: ['auth.bearer', 'auth.session.csrf'],
      async run(scene) {
        const cookie = await openSession(scene);
        const ask = { token: await scene.know('member'), headers: { cookie: cookie.pair }, body: { name: 'Shop' } };
        expect(await scene.codeOf('POST', 'projects', ask)).toBe(201);
      },
    },
    {
      title: 'who signs out there is out at once',
      proves: ['auth.session.end'],
      async run(scene) {
        const person = await scene.signUp();
        const [cookie, other] = [await openSession(scene, person), await openSession(scene, person)];
        const ended = await scene.call(
          'DELETE',
          'auth/session',
          by(cookie, { origin: new URL(scene.server.url).origin }),
        );
        expect(ended.status).toBe(204);
        expect(await scene.codeOf('GET', 'projects', by(cookie))).toBe('invalid_token');
        expect(await scene.codeOf('GET', 'projects', by(other))).toBe(200);
        expect(await scene.codeOf('GET', 'projects', { token: person.access_token })).toBe(200);
      },
    },
    {
      title: 'the cookie holds 12 hours from its last use, and 30 days at most',
      proves: ['auth.session.sliding', 'auth.session.longest'],
      turnsClock: true,
      async run(scene) {
        const [idle, used] = [await openSession(scene), await openSession(scene)];
        const look = (cookie: Cookie): Promise<string | number> => scene.codeOf('GET', 'projects', by(cookie));
        vi.setSystemTime(Date.now() + 11.5 * hourMs);
        expect([await look(idle), await look(used)]).toEqual([200, 200]);
        vi.setSystemTime(Date.now() + 11.5 * hourMs);
        expect(await look(used)).toBe(200);
        vi.setSystemTime(Date.now() + hourMs);
        expect(await look(idle)).toMatch(/invalid_token|expired_token/);
        for (let passed = 24; passed < 30 * 24 - 12; passed += 11) {
          expect([passed, await look(used)]).toEqual([passed, 200]);
          vi.setSystemTime(Date.now() + 11 * hourMs);
        }
        expect(await look(used)).toBe(200);
        vi.setSystemTime(Date.now() + 11.9 * hourMs);
        await look(used);
        vi.setSystemTime(Date.now() + 11.9 * hourMs);
        expect(await look(used)).toMatch(/invalid_token|expired_token/);
      },
    },
  ],
};
