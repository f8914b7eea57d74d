import { createHmac } from 'node:crypto';
import { expect, vi } from 'vitest';
import type { Answer, Json } from '../answer.ts';
import type { Chapter } from '../chapter.ts';
import { adminPassword } from '../places.ts';
import { freshEmail, password, type Scene, type Tokens } from '../scene.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const tokens = {
  access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
  token_type: 'Bearer',
  expires_in: 900,
  refresh_token: expect.stringMatching(/^\S{20,}$/),
};

const login = (scene: Scene, email: string, own: string, headers: Record<string, string> = {}): Promise<Answer> =>
  scene.call('POST', 'auth/login', { token: null, body: { email, password: own }, headers });

const refresh = (scene: Scene, refresh_token: string): Promise<Answer> =>
  scene.call('POST', 'auth/refresh', { token: null, body: { refresh_token } });

/** Whether a token opens the API. */
const opens = async (scene: Scene, { access_token }: Pick<Tokens, 'access_token'>): Promise<boolean> =>
  (await scene.call('GET', 'projects', { token: access_token })).status === 200;

/** Both tokens of a session are dead. */
async function expectEnded(scene: Scene, session: Tokens): Promise<void> {
  expect(await scene.codeOf('GET', 'projects', { token: session.access_token })).toBe('invalid_token');
  expect((await refresh(scene, session.refresh_token)).body.code).toBe('invalid_token');
}

/** Signing in, sessions and who one is. */
export const accounts: Chapter = {
  name: 'accounts',
  // Passwords are made slow, and what a storage could do to them is shown by a few tests.
  places: ['memory'],
  tests: [
    {
      title: 'whoever registers is signed in and owns a team of their own',
      proves: [
        'auth.register.created',
        'auth.register.team',
        'auth.register.names',
        'auth.me.get',
        'auth.teams.apart',
        'auth.open',
      ],
      async run(scene) {
        await scene.know('project');
        const body = { email: freshEmail(), password, name: 'Ada', team_name: 'Engines' };
        const made = await scene.get(201, 'POST', 'auth/register', { token: null, body });
        expect(made).toEqual(tokens);
        const token = made.access_token;
        expect(await scene.get(200, 'GET', 'auth/me', { token })).toEqual({
          id: expect.any(Number),
          email: body.email,
          name: 'Ada',
          role: 'owner',
          team: { id: expect.any(Number), name: 'Engines', plan: 'self_hosted' },
        });
        expect(await scene.get(200, 'GET', 'projects', { token })).toEqual([]);
        expect((await scene.get(200, 'GET', 'errors', { token })).total).toBe(0);
        expect((await scene.get(200, 'GET', 'members', { token })).items).toMatchObject([
          { email: body.email, role: 'owner' },
        ]);
        const nameless = await scene.signUp();
        expect(await scene.get(200, 'GET', 'auth/me', { token: nameless.access_token })).toMatchObject({
          name: null,
          role: 'owner',
        });
      },
    },
    {
      title: 'registration is closed unless it was opened',
      proves: ['auth.register.closed', 'problem.registration_closed'],
      settings: { registration: undefined },
      isAlone: true,
      async run(scene) {
        const body = { email: freshEmail(), password };
        expect(await scene.codeOf('POST', 'auth/register', { token: null, body })).toBe('registration_closed');
        expect((await login(scene, body.email, password)).status).toBe(401);
      },
    },
    {
      title: 'an e-mail is registered once, in any case',
      proves: ['auth.register.taken', 'problem.email_taken'],
      async run(scene) {
        const { email } = await scene.signUp();
        const invited = freshEmail();
        await scene.invite('member', undefined, invited);
        for (const taken of [email, email.toUpperCase(), invited, 'admin@localhost'])
          expect([
            taken,
            await scene.codeOf('POST', 'auth/register', { token: null, body: { email: taken, password } }),
          ]).toEqual([
            taken,
            taken === 'admin@localhost' ? expect.toBeOneOf(['email_taken', 'validation_failed']) : 'email_taken',
          ]);
      },
    },
    {
      title: 'of registrations of one e-mail at once one succeeds',
      proves: ['auth.register.taken'],
      async run(scene) {
        const body = { email: freshEmail(), password };
        const told = await Promise.all(
          Array.from({ length: 4 }, () => scene.codeOf('POST', 'auth/register', { token: null, body })),
        );
        expect(told.filter((code) => code === 201)).toHaveLength(1);
        expect(told.filter((code) => code === 'email_taken')).toHaveLength(3);
      },
    },
    {
      title: 'a password has 10 characters, wherever it is set',
      proves: ['auth.password.short', 'problem.validation_failed'],
      async run(scene) {
        const short = 'ninechars';
        const token = await scene.know('stranger');
        for (const [method, path, ask] of [
          ['POST', 'auth/register', { token: null, body: { email: freshEmail(), password: short } }],
          ['PATCH', 'auth/me', { token, body: { password: short, current_password: password } }],
          ['POST', 'members', { token, body: { email: freshEmail(), role: 'viewer', password: short } }],
          ['PATCH', `members/${await scene.know('memberId')}`, { body: { password: short } }],
          [
            'POST',
            'auth/invitations/accept',
            { token: null, body: { token: await scene.invite('viewer'), password: short } },
          ],
        ] as const) {
          const { status, body } = await scene.call(method, path, ask);
          expect([path, status, body.errors?.[0]?.path]).toEqual([path, 422, 'password']);
        }
        for (const email of ['', 'nobody', 'a@', '@b.example', 'a b@c.example', 5, null])
          expect(await scene.codeOf('POST', 'auth/register', { token: null, body: { email, password } })).toBe(
            'validation_failed',
          );
      },
    },
    {
      title: 'login answers tokens that open the API',
      proves: ['auth.login.tokens', 'auth.first_owner', 'auth.bearer'],
      async run(scene) {
        const { status, body } = await login(scene, 'Admin@LocalHost', adminPassword);
        expect([status, body]).toEqual([200, tokens]);
        expect(await opens(scene, body)).toBe(true);
        expect(await scene.get(200, 'GET', 'auth/me', { token: body.access_token })).toMatchObject({
          email: 'admin@localhost',
          role: 'owner',
        });
        expect(await scene.codeOf('GET', 'projects', { token: body.refresh_token })).toBe('invalid_token');
      },
    },
    {
      title: 'a wrong password and an unknown e-mail are answered alike',
      proves: ['auth.login.wrong', 'problem.invalid_credentials'],
      async run(scene) {
        const email = 'admin@localhost';
        const [wrong, unknown] = [
          await login(scene, email, 'wrong password'),
          await login(scene, freshEmail(), 'wrong password'),
        ];
        expect(wrong.body.code).toBe('invalid_credentials');
        expect([wrong.status, unknown.status]).toEqual([401, 401]);
        expect({ ...wrong.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
        const invited = freshEmail();
        await scene.invite('member', undefined, invited);
        expect((await login(scene, invited, 'wrong password')).body.code).toBe('invalid_credentials');
      },
    },
    {
      title: 'an unknown e-mail takes as long as a wrong password',
      proves: ['auth.login.time'],
      isAlone: true,
      places: ['memory'],
      async run(scene) {
        const email = 'admin@localhost';
        const took = async (known: string): Promise<number> => {
          const began = process.cpuUsage();
          await login(scene, known, 'wrong password');
          const { user, system } = process.cpuUsage(began);
          return user + system;
        };
        const shortest = { wrong: Infinity, unknown: Infinity };
        for (let times = 0; times < 2; times++) {
          shortest.wrong = Math.min(shortest.wrong, await took(email));
          shortest.unknown = Math.min(shortest.unknown, await took(freshEmail()));
        }
        // Without the hash of nobody it is a hundredth.
        expect(shortest.unknown).toBeGreaterThan(shortest.wrong / 4);
      },
    },
    {
      title: 'after 10 failures an e-mail has to wait 15 minutes, others have not',
      proves: [
        'auth.login.limit.pair',
        'auth.login.limit.others',
        'auth.login.limit.window',
        'problem.too_many_requests',
      ],
      turnsClock: true,
      // Failures are counted in the process, wherever all else is stored.
      places: ['memory'],
      async run(scene) {
        const { email } = await scene.signUp();
        for (let times = 0; times < 10; times++) expect((await login(scene, email, 'wrong password')).status).toBe(401);
        const refused = await login(scene, email, password);
        expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests']);
        expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(900);
        expect((await login(scene, email.toUpperCase(), password)).status).toBe(429);
        expect((await login(scene, 'admin@localhost', adminPassword)).status).toBe(200);
        vi.setSystemTime(Date.now() + 15 * minuteMs + 1_000);
        expect((await login(scene, email, password)).status).toBe(200);
      },
    },
    {
      title: 'a success begins the count anew',
      proves: ['auth.login.limit.reset'],
      isAlone: true,
      isLong: true,
      async run(scene) {
        const { email } = await scene.signUp();
        for (let times = 0; times < 9; times++) expect((await login(scene, email, 'wrong password')).status).toBe(401);
        expect((await login(scene, email, password)).status).toBe(200);
        for (let times = 0; times < 3; times++) expect((await login(scene, email, 'wrong password')).status).toBe(401);
      },
    },
    {
      title: 'after 50 failures an address has to wait, for any e-mail',
      proves: ['auth.login.limit.address'],
      isAlone: true,
      isLong: true,
      patience: 60_000,
      async run(scene) {
        for (let times = 0; times < 50; times++)
          expect((await login(scene, `nobody-${times % 25}@contract.example`, 'wrong password')).status).toBe(401);
        expect((await login(scene, 'admin@localhost', adminPassword)).body.code).toBe('too_many_requests');
      },
    },
    {
      title: 'an address is that of the socket, whatever a header says',
      proves: ['auth.login.limit.socket', 'auth.login.limit.pair'],
      isAlone: true,
      isLong: true,
      places: ['program'],
      async run(scene) {
        const email = freshEmail();
        const from = (index: number): Record<string, string> => ({
          'x-forwarded-for': `203.0.113.${index}`,
          forwarded: `for=203.0.113.${index}`,
          'x-real-ip': `203.0.113.${index}`,
        });
        for (let index = 0; index < 10; index++)
          expect((await login(scene, email, 'wrong password', from(index))).status).toBe(401);
        expect((await login(scene, email, 'wrong password', from(10))).body.code).toBe('too_many_requests');
      },
    },
    {
      title: 'behind a trusted proxy it is the one that the proxy names',
      proves: ['auth.login.limit.proxy'],
      settings: { trustProxy: '127.0.0.1' },
      isAlone: true,
      isLong: true,
      places: ['program'],
      async run(scene) {
        const email = freshEmail();
        const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });
        for (let index = 0; index < 10; index++)
          // What the client itself wrote before the proxy's entry is not believed.
          expect((await login(scene, email, 'wrong password', from(`198.51.100.${index}, 203.0.113.1`))).status).toBe(
            401,
          );
        expect((await login(scene, email, 'wrong password', from('203.0.113.1'))).body.code).toBe('too_many_requests');
        expect((await login(scene, email, 'wrong password', from('203.0.113.2'))).body.code).toBe(
          'invalid_credentials',
        );
      },
    },
    {
      title: 'a refresh token gives a new pair, once',
      proves: [
        'auth.refresh.pair',
        'auth.refresh.once',
        'auth.refresh.reuse',
        'auth.refresh.others',
        'auth.used',
        'auth.open',
      ],
      async run(scene) {
        const first = await scene.newSession();
        const other = await scene.newSession();
        const second = await refresh(scene, first.refresh_token);
        expect([second.status, second.body]).toEqual([200, tokens]);
        expect(second.body.refresh_token).not.toBe(first.refresh_token);
        expect(await opens(scene, second.body)).toBe(true);
        const third = await refresh(scene, second.body.refresh_token);
        expect(third.status).toBe(200);
        const again = await refresh(scene, first.refresh_token);
        expect([again.status, again.body.code]).toEqual([401, 'invalid_token']);
        for (const session of [second.body, third.body]) await expectEnded(scene, session);
        expect(await scene.codeOf('GET', 'projects', { token: first.access_token })).toBe('invalid_token');
        expect(await opens(scene, other)).toBe(true);
        expect((await refresh(scene, other.refresh_token)).status).toBe(200);
      },
    },
    {
      title: 'a refresh token used many times at once revokes its chain',
      proves: ['auth.refresh.race', 'auth.refresh.reuse'],
      async run(scene) {
        const first = await scene.newSession();
        const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(scene, first.refresh_token)));
        const given = answers.filter(({ status }) => status === 200);
        expect(given.length).toBeLessThanOrEqual(1);
        expect(answers.filter(({ status }) => status === 401)).toHaveLength(20 - given.length);
        for (const { body } of given) await expectEnded(scene, body);
        await expectEnded(scene, first);
      },
    },
    {
      title: 'over a restart a refresh token still works once',
      proves: ['auth.refresh.once', 'auth.jwt.restart'],
      isAlone: true,
      places: ['file'],
      async run(scene) {
        const first = await scene.newSession();
        const second = await refresh(scene, first.refresh_token);
        await scene.restart();
        expect(await opens(scene, second.body)).toBe(true);
        expect((await refresh(scene, first.refresh_token)).status).toBe(401);
        await expectEnded(scene, second.body);
      },
    },
    {
      title: 'who signs out is out at once',
      proves: ['auth.logout.bearer', 'auth.logout.refresh', 'auth.logout.both_dead', 'conv.no_body.logout'],
      async run(scene) {
        const kept = await scene.newSession();
        const text = { 'content-type': 'text/plain' };
        for (const ask of [
          {},
          { body: {} },
          { body: '' },
          { headers: { 'content-type': 'application/json' } },
          { body: '{}', headers: text },
        ]) {
          const session = await scene.newSession();
          await scene.get(204, 'POST', 'auth/logout', { token: session.access_token, ...ask });
          await expectEnded(scene, session);
        }
        const alone = await scene.newSession();
        await scene.get(204, 'POST', 'auth/logout', { token: null, body: { refresh_token: alone.refresh_token } });
        await expectEnded(scene, alone);
        expect(await opens(scene, kept)).toBe(true);
        expect(await scene.codeOf('POST', 'auth/logout', { token: null })).toBe('missing_token');
        expect(await scene.codeOf('POST', 'auth/logout', { token: null, body: {} })).toBe('missing_token');
        expect(await scene.codeOf('POST', 'auth/logout', { token: 'made-up-token-0123456789' })).toBe('invalid_token');
      },
    },
    {
      title: 'one may change the own name and password',
      proves: ['auth.me.name', 'auth.me.password', 'auth.me.current', 'auth.roles.viewer'],
      async run(scene) {
        const owner = await scene.signUp();
        const person = await scene.addMember('viewer', owner.access_token);
        const me = (body: object): Promise<Answer> =>
          scene.call('PATCH', 'auth/me', { token: person.access_token, body });
        const named = await me({ name: 'Ada' });
        expect(named.body).toEqual({
          ...(await scene.get(200, 'GET', 'auth/me', { token: person.access_token })),
          name: 'Ada',
        });
        const next = 'another staple of a battery';
        for (const body of [
          { password: next },
          { password: next, current_password: 'wrong password' },
          { role: 'owner' },
          { email: freshEmail() },
        ])
          expect((await me(body)).status).toBeGreaterThanOrEqual(400);
        expect((await login(scene, person.email, next)).status).toBe(401);
        expect((await me({ password: next, current_password: password })).status).toBe(200);
        expect((await login(scene, person.email, next)).status).toBe(200);
        expect((await login(scene, person.email, password)).status).toBe(401);
        expect(
          await scene.get(200, 'GET', 'auth/me', {
            token: (await scene.signIn({ ...person, password: next })).access_token,
          }),
        ).toMatchObject({ name: 'Ada', role: 'viewer' });
      },
    },
    {
      title: 'a link signs in once, however many use it at once',
      proves: ['auth.links.use', 'auth.links.once', 'auth.used'],
      places: ['memory', 'file'],
      async run(scene) {
        const [, token] = /#sign-in=(\S+)$/.exec((await scene.server.signInLink?.()) ?? '') ?? [];
        const use = (): Promise<Answer> => scene.call('POST', 'auth/links/use', { token: null, body: { token } });
        const answers = await Promise.all(Array.from({ length: 10 }, use));
        const [used, ...more] = answers.filter(({ status }) => status === 200);
        expect([used?.body, more]).toEqual([tokens, []]);
        expect(await opens(scene, used?.body)).toBe(true);
        expect((await use()).body.code).toBe('invalid_token');
      },
    },
    {
      title: 'links and invitations hold 24 hours',
      proves: ['auth.links.expire', 'auth.invitations.expire', 'auth.used'],
      turnsClock: true,
      async run(scene) {
        const link = async (): Promise<string> =>
          /#sign-in=(\S+)$/.exec((await scene.server.signInLink?.()) ?? '')?.[1] ?? '';
        const use = (token: string): Promise<string | number> =>
          scene.codeOf('POST', 'auth/links/use', { token: null, body: { token } });
        const accept = (token: string): Promise<string | number> =>
          scene.codeOf('POST', 'auth/invitations/accept', { token: null, body: { token, password } });
        const [early, late, guest, lateGuest] = [
          await link(),
          await link(),
          await scene.invite('viewer'),
          await scene.invite('viewer'),
        ];
        vi.setSystemTime(Date.now() + 24 * hourMs - minuteMs);
        expect([await use(early), await accept(guest)]).toEqual([200, 201]);
        vi.setSystemTime(Date.now() + 2 * minuteMs);
        expect([await use(late), await accept(lateGuest)]).toEqual(['invalid_token', 'invalid_token']);
      },
    },
    {
      title: 'access tokens are JWTs of 15 minutes',
      proves: ['auth.jwt.minutes', 'auth.jwt.expired', 'problem.expired_token', 'problem.bearer'],
      turnsClock: true,
      async run(scene) {
        const { access_token: token } = await scene.newSession();
        const [head = '', claims = ''] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
        expect(JSON.parse(head).alg).not.toBe('none');
        const { iat, exp } = JSON.parse(claims);
        expect(exp - iat).toBe(900);
        vi.setSystemTime(Date.now() + 14.9 * minuteMs);
        expect(await scene.codeOf('GET', 'projects', { token })).toBe(200);
        vi.setSystemTime(Date.now() + 0.2 * minuteMs);
        expect(await scene.codeOf('GET', 'projects', { token })).toBe('expired_token');
      },
    },
    {
      title: 'a token of another algorithm, key or text is none',
      proves: ['auth.jwt.pinned'],
      async run(scene) {
        const { access_token: token } = await scene.newSession();
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
          expect([forged, await scene.codeOf('GET', 'projects', { token: forged })]).toEqual([forged, 'invalid_token']);
      },
    },
  ],
};
