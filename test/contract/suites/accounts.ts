import { expect } from 'vitest';
import type { ApiResponse } from '../api-call.ts';
import { freshEmail, password } from '../credentials.ts';
import { login, tokenPair } from '../session-calls.ts';
import type { Suite } from '../suite.ts';

/** Registration, and the account of the caller. */
export const accounts: Suite = {
  name: 'accounts',
  // Hashing passwords is slow, and only the few tests with their own targets depend on the storage.
  targets: ['memory'],
  tests: [
    {
      title: 'registering signs the user in and creates a team that they own',
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
      title: 'registration is closed by default',
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
      title: 'an e-mail address can register once, in upper or lower case',
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
      title: 'one of several concurrent registrations of an e-mail address succeeds',
      covers: ['auth.register.taken'],
      async run(context) {
        const body = { email: freshEmail(), password };
        const outcomes = await Promise.all(
          Array.from({ length: 4 }, () => context.outcome('POST', 'auth/register', { token: null, body })),
        );
        expect(outcomes.filter((code) => code === 201)).toHaveLength(1);
        expect(outcomes.filter((code) => code === 'email_taken')).toHaveLength(3);
      },
    },
    {
      title: 'a password needs 10 characters in every operation that sets one',
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
        for (const email of ['', 'no-at-sign', 'a@', '@b.example', 'a b@c.example', 5, null])
          expect(await context.outcome('POST', 'auth/register', { token: null, body: { email, password } })).toBe(
            'validation_failed',
          );
      },
    },
    {
      title: 'users can change their own name and password',
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
  ],
};
