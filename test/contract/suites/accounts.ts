import { createHmac } from 'node:crypto';
import { expect, vi } from 'vitest';
import type { ApiResponse, Json } from '../api-call.ts';
import type { TestContext, Tokens } from '../context.ts';
import { adminPassword, freshEmail, password } from '../credentials.ts';
import type { Suite } from '../suite.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const tokenPair = {
  access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
  token_type: 'Bearer',
  expires_in: 900,
  refresh_token: expect.stringMatching(/^\S{20,}$/),
};

const login = (
  context: TestContext,
  email: string,
  own: string,
  headers: Record<string, string> = {},
): Promise<ApiResponse> => context.call('POST', 'auth/login', { token: null, body: { email, password: own }, headers });

const refresh = (context: TestContext, refresh_token: string): Promise<ApiResponse> =>
  context.call('POST', 'auth/refresh', { token: null, body: { refresh_token } });

/** Whether a token opens the API. */
const canUseApi = async (context: TestContext, { access_token }: Pick<Tokens, 'access_token'>): Promise<boolean> =>
  (await context.call('GET', 'projects', { token: access_token })).status === 200;

/** Both tokens of a session are dead. */
async function expectSessionEnded(context: TestContext, session: Tokens): Promise<void> {
  expect(await context.outcome('GET', 'projects', { token: session.access_token })).toBe('invalid_token');
  expect((await refresh(context, session.refresh_token)).body.code).toBe('invalid_token');
}

/** Signing in, sessions and who one is. */
export const accounts: Suite = {
  name: 'accounts',
  // Passwords are made slow, and what a storage could do to them is shown by a few tests.
  targets: ['memory'],
  tests: [
    {
      title: 'whoever registers is signed in and owns a team of their own',
      covers: [
        'auth.register.created',
        'auth.register.team',
        'auth.register.names',
        'auth.me.get',
        'auth.teams.apart',
        'auth.open',
      ],
      async run(context) {
        await context.fixture('project');
        const body = { email: freshEmail(), password, name: 'Ada', team_name: 'Engines' };
        const made = await context.send(201, 'POST', 'auth/register', { token: null, body });
        expect(made).toEqual(tokenPair);
        const token = made.access_token;
        expect(await context.send(200, 'GET', 'auth/me', { token })).toEqual({
          id: expect.any(Number),
          email: body.email,
          name: 'Ada',
          role: 'owner',
          team: { id: expect.any(Number), name: 'Engines', plan: 'self_hosted' },
        });
        expect(await context.send(200, 'GET', 'projects', { token })).toEqual([]);
        expect((await context.send(200, 'GET', 'errors', { token })).total).toBe(0);
        expect((await context.send(200, 'GET', 'members', { token })).items).toMatchObject([
          { email: body.email, role: 'owner' },
        ]);
        const nameless = await context.signUp();
        expect(await context.send(200, 'GET', 'auth/me', { token: nameless.access_token })).toMatchObject({
          name: null,
          role: 'owner',
        });
      },
    },
    {
      title: 'registration is closed unless it was opened',
      covers: ['auth.register.closed', 'problem.registration_closed'],
      settings: { registration: undefined },
      needsOwnServer: true,
      async run(context) {
        const body = { email: freshEmail(), password };
        expect(await context.outcome('POST', 'auth/register', { token: null, body })).toBe('registration_closed');
        expect((await login(context, body.email, password)).status).toBe(401);
      },
    },
    {
      title: 'an e-mail is registered once, in any case',
      covers: ['auth.register.taken', 'problem.email_taken'],
      async run(context) {
        const { email } = await context.signUp();
        const invited = freshEmail();
        await context.invite('member', undefined, invited);
        for (const taken of [email, email.toUpperCase(), invited, 'admin@localhost'])
          expect([
            taken,
            await context.outcome('POST', 'auth/register', { token: null, body: { email: taken, password } }),
          ]).toEqual([
            taken,
            taken === 'admin@localhost' ? expect.toBeOneOf(['email_taken', 'validation_failed']) : 'email_taken',
          ]);
      },
    },
    {
      title: 'of registrations of one e-mail at once one succeeds',
      covers: ['auth.register.taken'],
      async run(context) {
        const body = { email: freshEmail(), password };
        const told = await Promise.all(
          Array.from({ length: 4 }, () => context.outcome('POST', 'auth/register', { token: null, body })),
        );
        expect(told.filter((code) => code === 201)).toHaveLength(1);
        expect(told.filter((code) => code === 'email_taken')).toHaveLength(3);
      },
    },
    {
      title: 'a password has 10 characters, wherever it is set',
      covers: ['auth.password.short', 'problem.validation_failed'],
      async run(context) {
        const short = 'ninechars';
        const token = await context.fixture('stranger');
        for (const [method, path, options] of [
          ['POST', 'auth/register', { token: null, body: { email: freshEmail(), password: short } }],
          ['PATCH', 'auth/me', { token, body: { password: short, current_password: password } }],
          ['POST', 'members', { token, body: { email: freshEmail(), role: 'viewer', password: short } }],
          ['PATCH', `members/${await context.fixture('memberId')}`, { body: { password: short } }],
          [
            'POST',
            'auth/invitations/accept',
            { token: null, body: { token: await context.invite('viewer'), password: short } },
          ],
        ] as const) {
          const { status, body } = await context.call(method, path, options);
          expect([path, status, body.errors?.[0]?.path]).toEqual([path, 422, 'password']);
        }
        for (const email of ['', 'nobody', 'a@', '@b.example', 'a b@c.example', 5, null])
          expect(await context.outcome('POST', 'auth/register', { token: null, body: { email, password } })).toBe(
            'validation_failed',
          );
      },
    },
    {
      title: 'login answers tokens that open the API',
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
      title: 'a wrong password and an unknown e-mail are answered alike',
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
      title: 'an unknown e-mail takes as long as a wrong password',
      covers: ['auth.login.time'],
      needsOwnServer: true,
      targets: ['memory'],
      async run(context) {
        const email = 'admin@localhost';
        const took = async (known: string): Promise<number> => {
          const began = process.cpuUsage();
          await login(context, known, 'wrong password');
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
      covers: [
        'auth.login.limit.pair',
        'auth.login.limit.others',
        'auth.login.limit.window',
        'problem.too_many_requests',
      ],
      controlsClock: true,
      // Failures are counted in the process, wherever all else is stored.
      targets: ['memory'],
      async run(context) {
        const { email } = await context.signUp();
        for (let times = 0; times < 10; times++)
          expect((await login(context, email, 'wrong password')).status).toBe(401);
        const refused = await login(context, email, password);
        expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests']);
        expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(900);
        expect((await login(context, email.toUpperCase(), password)).status).toBe(429);
        expect((await login(context, 'admin@localhost', adminPassword)).status).toBe(200);
        vi.setSystemTime(Date.now() + 15 * minuteMs + 1_000);
        expect((await login(context, email, password)).status).toBe(200);
      },
    },
    {
      title: 'a success begins the count anew',
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
      title: 'after 50 failures an address has to wait, for any e-mail',
      covers: ['auth.login.limit.address'],
      needsOwnServer: true,
      onlyInFullRun: true,
      timeoutMs: 60_000,
      async run(context) {
        for (let times = 0; times < 50; times++)
          expect((await login(context, `nobody-${times % 25}@contract.example`, 'wrong password')).status).toBe(401);
        expect((await login(context, 'admin@localhost', adminPassword)).body.code).toBe('too_many_requests');
      },
    },
    {
      title: 'an address is that of the socket, whatever a header says',
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
      title: 'behind a trusted proxy it is the one that the proxy names',
      covers: ['auth.login.limit.proxy'],
      settings: { trustProxy: '127.0.0.1' },
      needsOwnServer: true,
      onlyInFullRun: true,
      targets: ['program'],
      async run(context) {
        const email = freshEmail();
        const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });
        for (let index = 0; index < 10; index++)
          // What the client itself wrote before the proxy's entry is not believed.
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
      title: 'a refresh token gives a new pair, once',
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
      title: 'a refresh token used many times at once revokes its chain',
      covers: ['auth.refresh.race', 'auth.refresh.reuse'],
      async run(context) {
        const first = await context.createSession();
        const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(context, first.refresh_token)));
        const given = answers.filter(({ status }) => status === 200);
        expect(given.length).toBeLessThanOrEqual(1);
        expect(answers.filter(({ status }) => status === 401)).toHaveLength(20 - given.length);
        for (const { body } of given) await expectSessionEnded(context, body);
        await expectSessionEnded(context, first);
      },
    },
    {
      title: 'over a restart a refresh token still works once',
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
      title: 'who signs out is out at once',
      covers: ['auth.logout.bearer', 'auth.logout.refresh', 'auth.logout.both_dead', 'conv.no_body.logout'],
      async run(context) {
        const kept = await context.createSession();
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
        expect(await canUseApi(context, kept)).toBe(true);
        expect(await context.outcome('POST', 'auth/logout', { token: null })).toBe('missing_token');
        expect(await context.outcome('POST', 'auth/logout', { token: null, body: {} })).toBe('missing_token');
        expect(await context.outcome('POST', 'auth/logout', { token: 'made-up-token-0123456789' })).toBe(
          'invalid_token',
        );
      },
    },
    {
      title: 'one may change the own name and password',
      covers: ['auth.me.name', 'auth.me.password', 'auth.me.current', 'auth.roles.viewer'],
      async run(context) {
        const owner = await context.signUp();
        const person = await context.addMember('viewer', owner.access_token);
        const me = (body: object): Promise<ApiResponse> =>
          context.call('PATCH', 'auth/me', { token: person.access_token, body });
        const named = await me({ name: 'Ada' });
        expect(named.body).toEqual({
          ...(await context.send(200, 'GET', 'auth/me', { token: person.access_token })),
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
        expect((await login(context, person.email, next)).status).toBe(401);
        expect((await me({ password: next, current_password: password })).status).toBe(200);
        expect((await login(context, person.email, next)).status).toBe(200);
        expect((await login(context, person.email, password)).status).toBe(401);
        expect(
          await context.send(200, 'GET', 'auth/me', {
            token: (await context.signIn({ ...person, password: next })).access_token,
          }),
        ).toMatchObject({ name: 'Ada', role: 'viewer' });
      },
    },
    {
      title: 'a link signs in once, however many use it at once',
      covers: ['auth.links.use', 'auth.links.once', 'auth.used'],
      targets: ['memory', 'file'],
      async run(context) {
        const [, token] = /#sign-in=(\S+)$/.exec((await context.server.signInLink?.()) ?? '') ?? [];
        const use = (): Promise<ApiResponse> =>
          context.call('POST', 'auth/links/use', { token: null, body: { token } });
        const answers = await Promise.all(Array.from({ length: 10 }, use));
        const [used, ...more] = answers.filter(({ status }) => status === 200);
        expect([used?.body, more]).toEqual([tokenPair, []]);
        expect(await canUseApi(context, used?.body)).toBe(true);
        expect((await use()).body.code).toBe('invalid_token');
      },
    },
    {
      title: 'links and invitations hold 24 hours',
      covers: ['auth.links.expire', 'auth.invitations.expire', 'auth.used'],
      controlsClock: true,
      async run(context) {
        const link = async (): Promise<string> =>
          /#sign-in=(\S+)$/.exec((await context.server.signInLink?.()) ?? '')?.[1] ?? '';
        const use = (token: string): Promise<string | number> =>
          context.outcome('POST', 'auth/links/use', { token: null, body: { token } });
        const accept = (token: string): Promise<string | number> =>
          context.outcome('POST', 'auth/invitations/accept', { token: null, body: { token, password } });
        const [early, late, guest, lateGuest] = [
          await link(),
          await link(),
          await context.invite('viewer'),
          await context.invite('viewer'),
        ];
        vi.setSystemTime(Date.now() + 24 * hourMs - minuteMs);
        expect([await use(early), await accept(guest)]).toEqual([200, 201]);
        vi.setSystemTime(Date.now() + 2 * minuteMs);
        expect([await use(late), await accept(lateGuest)]).toEqual(['invalid_token', 'invalid_token']);
      },
    },
    {
      title: 'access tokens are JWTs of 15 minutes',
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
      title: 'a token of another algorithm, key or text is none',
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
