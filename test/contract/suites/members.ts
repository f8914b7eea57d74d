import { expect } from 'vitest';
import type { ApiResponse, Json } from '../api-call.ts';
import type { TestContext } from '../context.ts';
import { freshEmail, password } from '../credentials.ts';
import type { Suite } from '../suite.ts';

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const accept = (context: TestContext, token: string, more: object = {}): Promise<ApiResponse> =>
  context.call('POST', 'auth/invitations/accept', { token: null, body: { token, password, ...more } });

/** Members of a team, and invitations. */
export const members: Suite = {
  name: 'members',
  // Hashing passwords is slow, and these tests do not depend on the storage.
  targets: ['memory'],
  tests: [
    {
      title: 'members are added with a password or by an invitation',
      covers: [
        'auth.members.page',
        'auth.members.active',
        'auth.members.invited',
        'auth.members.invite_once',
        'conv.lists.page',
      ],
      async run(context) {
        const owner = await context.signUp({ name: 'Ada' });
        const token = owner.access_token;
        const active = { email: freshEmail(), role: 'member', name: 'Grace', password };
        const added = await context.send(201, 'POST', 'members', { token, body: active });
        expect(added).toEqual({
          id: expect.any(Number),
          email: active.email,
          name: 'Grace',
          role: 'member',
          status: 'active',
          created_at: time,
        });
        expect((await context.signIn(active)).token_type).toBe('Bearer');
        const invited = await context.send(201, 'POST', 'members', {
          token,
          body: { email: freshEmail().toUpperCase(), role: 'viewer' },
        });
        expect(invited).toMatchObject({
          status: 'invited',
          role: 'viewer',
          name: null,
          invite_url: expect.stringMatching(/^http\S+$/),
        });
        const { invite_url, ...shown } = invited;
        expect(shown.email).toBe(shown.email.toLowerCase());
        const response = await context.call('GET', 'members', { token });
        expect(response.body).toEqual({
          items: expect.arrayContaining([
            expect.objectContaining({ email: owner.email, role: 'owner', status: 'active', name: 'Ada' }),
            added,
            shown,
          ]),
          total: 3,
          page: 1,
          size: 50,
          pages: 1,
        });
        for (const item of response.body.items)
          expect(Object.keys(item).toSorted()).toEqual(['created_at', 'email', 'id', 'name', 'role', 'status']);
        expect(response.text).not.toContain(new URL(invite_url).hash.slice(1) || invite_url);
        expect((await context.send(200, 'GET', 'members?size=1&page=3', { token })).items).toHaveLength(1);
      },
    },
    {
      title: 'an invitation can be accepted once',
      covers: ['auth.invitations.accept', 'auth.invitations.once', 'auth.used', 'auth.open'],
      async run(context) {
        const owner = await context.signUp();
        const email = freshEmail();
        const token = await context.invite('member', owner.access_token, email);
        const responses = await Promise.all([
          accept(context, token, { name: 'Grace' }),
          accept(context, token),
          accept(context, token),
        ]);
        const [accepted, ...more] = responses.filter(({ status }) => status === 201);
        expect(more).toEqual([]);
        expect(accepted?.body).toMatchObject({
          token_type: 'Bearer',
          expires_in: 900,
          access_token: expect.any(String),
          refresh_token: expect.any(String),
        });
        expect((await accept(context, token)).body.code).toBe('invalid_token');
        const me = await context.send(200, 'GET', 'auth/me', { token: accepted?.body.access_token });
        const mine = await context.send(200, 'GET', 'auth/me', { token: owner.access_token });
        expect(me).toMatchObject({ email, role: 'member', team: mine.team });
        expect((await context.signIn({ email, password })).token_type).toBe('Bearer');
        const { items } = await context.send(200, 'GET', 'members', { token: owner.access_token });
        expect(items).toContainEqual(expect.objectContaining({ email, status: 'active' }));
      },
    },
    {
      title: 'removing an invited member invalidates the invitation',
      covers: ['auth.used', 'auth.members.delete'],
      async run(context) {
        const owner = await context.signUp();
        const email = freshEmail();
        const token = await context.invite('member', owner.access_token, email);
        const { items } = await context.send(200, 'GET', 'members', { token: owner.access_token });
        const { id } = items.find((item: Json) => item.email === email);
        await context.send(204, 'DELETE', `members/${id}`, { token: owner.access_token });
        expect((await accept(context, token)).body.code).toBe('invalid_token');
      },
    },
    {
      title: 'an e-mail address that any team uses cannot be added',
      covers: ['auth.members.taken', 'problem.email_taken'],
      async run(context) {
        const [mine, theirs] = [await context.signUp(), await context.signUp()];
        for (const email of [mine.email, theirs.email, theirs.email.toUpperCase()])
          for (const more of [{}, { password }])
            expect(
              await context.outcome('POST', 'members', {
                token: mine.access_token,
                body: { email, role: 'viewer', ...more },
              }),
            ).toBe('email_taken');
      },
    },
    {
      title: 'owners can change the role, name and password of a member',
      covers: ['auth.members.change', 'auth.roles.stored'],
      async run(context) {
        const owner = await context.signUp();
        const person = await context.addMember('member', owner.access_token);
        const change = (body: object): Promise<ApiResponse> =>
          context.call('PATCH', `members/${person.id}`, { token: owner.access_token, body });
        expect(await context.outcome('POST', 'projects', { token: person.access_token, body: { name: 'Shop' } })).toBe(
          201,
        );
        expect((await change({ role: 'viewer', name: 'Grace' })).body).toEqual({
          id: person.id,
          email: person.email,
          name: 'Grace',
          role: 'viewer',
          status: 'active',
          created_at: time,
        });
        expect(await context.outcome('POST', 'projects', { token: person.access_token, body: { name: 'Shop' } })).toBe(
          'forbidden',
        );
        expect(await context.send(200, 'GET', 'auth/me', { token: person.access_token })).toMatchObject({
          role: 'viewer',
          name: 'Grace',
        });
        expect((await change({ role: 'owner' })).status).toBe(200);
        expect(
          await context.outcome('POST', 'members', {
            token: person.access_token,
            body: { email: freshEmail(), role: 'viewer' },
          }),
        ).toBe(201);
        expect((await change({ password: 'another staple of a battery' })).status).toBe(200);
        expect((await context.signIn({ ...person, password: 'another staple of a battery' })).token_type).toBe(
          'Bearer',
        );
        expect(
          await context.outcome('POST', 'auth/login', { token: null, body: { email: person.email, password } }),
        ).toBe('invalid_credentials');
        for (const body of [
          { role: 'king' },
          { role: null },
          { email: freshEmail() },
          { name: 5 },
          { status: 'active' },
        ])
          expect([body, (await change(body)).status]).toEqual([body, 422]);
      },
    },
    {
      title: 'removing a member ends their sessions and tokens immediately',
      covers: ['auth.members.delete', 'auth.logout.both_dead', 'conv.deletes.gone'],
      async run(context) {
        const owner = await context.signUp();
        const person = await context.addMember('member', owner.access_token);
        const body = { name: 'CI' };
        const { token } = await context.send(201, 'POST', 'auth/tokens', { token: person.access_token, body });
        expect(await context.outcome('GET', 'projects', { token })).toBe(200);
        await context.send(204, 'DELETE', `members/${person.id}`, { token: owner.access_token });
        for (const revoked of [person.access_token, token])
          expect(await context.outcome('GET', 'projects', { token: revoked })).toBe('invalid_token');
        expect(
          await context.outcome('POST', 'auth/refresh', { token: null, body: { refresh_token: person.refresh_token } }),
        ).toBe('invalid_token');
        expect(
          await context.outcome('POST', 'auth/login', {
            token: null,
            body: person && { email: person.email, password },
          }),
        ).toBe('invalid_credentials');
        expect(await context.outcome('DELETE', `members/${person.id}`, { token: owner.access_token })).toBe(
          'member_not_found',
        );
        const again = await context.addMember('viewer', owner.access_token);
        expect(again.id).toBeGreaterThan(person.id);
      },
    },
    {
      title: 'the last owner can be neither removed nor demoted',
      covers: ['auth.members.last_owner', 'problem.last_owner'],
      async run(context) {
        const owner = await context.signUp();
        const token = owner.access_token;
        const { id } = await context.send(200, 'GET', 'auth/me', { token });
        const removeOwner = async (): Promise<unknown[]> => [
          await context.outcome('PATCH', `members/${id}`, { token, body: { role: 'member' } }),
          await context.outcome('PATCH', `members/${id}`, { token, body: { role: 'viewer' } }),
          await context.outcome('DELETE', `members/${id}`, { token }),
        ];
        expect(await removeOwner()).toEqual(['last_owner', 'last_owner', 'last_owner']);
        expect(await context.outcome('PATCH', `members/${id}`, { token, body: { role: 'owner', name: 'Ada' } })).toBe(
          200,
        );
        await context.addMember('member', token);
        expect(await removeOwner()).toEqual(['last_owner', 'last_owner', 'last_owner']);
        const second = await context.addMember('owner', token);
        const both = await Promise.all([
          context.outcome('DELETE', `members/${id}`, { token }),
          context.outcome('DELETE', `members/${second.id}`, { token: second.access_token }),
        ]);
        expect(both.filter((outcome) => outcome === 204)).toHaveLength(1);
        const left = both[0] === 204 ? second.access_token : token;
        const { items } = await context.send(200, 'GET', 'members', { token: left });
        expect(items.filter(({ role }: Json) => role === 'owner')).toHaveLength(1);
      },
    },
  ],
};
