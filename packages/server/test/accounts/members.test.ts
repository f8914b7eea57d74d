import type { NewMember } from '@service/protocol';
import { expect, test } from 'vitest';
import {
  acceptInvitation,
  addMember,
  inviteMember,
  createPersonalToken,
  members,
  password,
  signIn,
} from './members.ts';
import { describeInMemory, describeService } from '../test-utils/describe-service.ts';
import { openService } from '../test-utils/open-service.ts';

const time = expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) as string;
const owner = { id: 1, email: 'admin@localhost', name: null, role: 'owner', status: 'active', created_at: time };

describeService('members', (start, driver) => {
  test('members are added, listed, changed and removed', async () => {
    const { call, restart } = await start();
    const added = await call<NewMember>('POST', 'members', {
      body: { email: ' Ann@Shop.example ', role: 'viewer', name: ' Ann ', password },
    });
    const ann = { id: 2, email: 'ann@shop.example', name: 'Ann', role: 'viewer', status: 'active', created_at: time };
    expect([added.status, added.body]).toEqual([201, ann]);
    if (driver === 'file:') await restart();
    expect((await call('GET', 'members')).body).toEqual({ items: [owner, ann], total: 2, page: 1, size: 50, pages: 1 });
    expect((await call('GET', 'members?size=1&page=2')).body).toMatchObject({ items: [{ id: 2 }], pages: 2 });
    const changed = await call('PATCH', 'members/2', { body: { role: 'member', name: null } });
    expect([changed.status, changed.body]).toEqual([200, { ...ann, role: 'member', name: null }]);
    expect((await call('PATCH', 'members/2', { body: {} })).body).toEqual(changed.body);
    const removed = await call('DELETE', 'members/2');
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect((await call('DELETE', 'members/2')).body.code).toBe('member_not_found');
    expect((await call('PATCH', 'members/2', { body: {} })).body.code).toBe('member_not_found');
    if (driver === 'file:') await restart();
    expect(await members(call)).toEqual([owner]);
    // The address can be used again, the id cannot.
    expect((await inviteMember(call, 'ann@shop.example')).member.id).toBe(3);
  });

  test('an invitation is accepted once, also when it is used concurrently', async () => {
    const { call, restart } = await start();
    const { member, token } = await inviteMember(call, 'ann@shop.example', 'viewer');
    const invited = {
      id: 2,
      email: 'ann@shop.example',
      name: null,
      role: 'viewer',
      status: 'invited',
      created_at: time,
    };
    expect(member).toEqual({ ...invited, invite_url: expect.stringMatching(/^http:\/\/.*\/#invitation=[\w-]{32,}$/) });
    expect((await members(call))[1]).toEqual(invited);
    if (driver === 'file:') await restart();

    const responses = await Promise.all(
      [1, 2, 3].map((number) => acceptInvitation(call, token, { name: `Ann ${number}` })),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 401, 401]);
    expect(responses.find(({ status }) => status === 401)?.body.code).toBe('invalid_token');
    const { body } = responses.find(({ status }) => status === 201)!;
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
      refresh_token: expect.any(String),
    });
    expect((await call('GET', 'projects', { token: body.access_token })).status).toBe(200);
    expect((await members(call))[1]).toMatchObject({ status: 'active', name: expect.stringMatching(/^Ann \d$/) });
    if (driver === 'file:') await restart();
    expect((await acceptInvitation(call, token)).body.code).toBe('invalid_token');
    expect((await call('GET', 'projects', { token: await signIn(call, 'ann@shop.example') })).status).toBe(200);
  });

  test('an e-mail address belongs to one member or invitation, also under concurrent requests', async () => {
    const { call } = await start();
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        call('POST', 'members', {
          body: { email: index % 2 ? 'ann@shop.example' : 'ANN@shop.example', role: 'member' },
        }),
      ),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(responses.filter(({ status }) => status !== 201).map(({ body }) => body.code))).toEqual(
      new Set(['email_taken']),
    );
    const again = await call('POST', 'members', { body: { email: 'ann@shop.example', role: 'owner', password } });
    expect([again.status, again.body.code]).toEqual([409, 'email_taken']);
    expect(await members(call)).toHaveLength(2);
  });

  test('concurrent requests of owners to demote each other leave one owner', async () => {
    const { call } = await start();
    const [ann, ben] = [
      await addMember(call, 'ann@shop.example', 'owner'),
      await addMember(call, 'ben@shop.example', 'owner'),
    ];
    expect((await call('DELETE', 'members/1')).status).toBe(204);
    const responses = await Promise.all([
      call('PATCH', `members/${ben.id}`, { token: ann.token, body: { role: 'viewer' } }),
      call('DELETE', `members/${ann.id}`, { token: ben.token }),
      call('PATCH', `members/${ann.id}`, { token: ann.token, body: { role: 'member' } }),
    ]);
    // A later request may fail because its caller has lost the role.
    for (const { status } of responses) expect([200, 204, 401, 403, 409]).toContain(status);
    expect((await members(call)).filter(({ role }) => role === 'owner')).toHaveLength(1);
  });

  test('the last active owner cannot be demoted or removed, and an invited owner does not count', async () => {
    const { call } = await start();
    const { member, token } = await inviteMember(call, 'ann@shop.example', 'owner');
    const demote = () => call('PATCH', 'members/1', { body: { role: 'member' } });
    expect([(await demote()).status, (await demote()).body.code]).toEqual([409, 'last_owner']);
    expect((await call('DELETE', 'members/1')).body.code).toBe('last_owner');
    expect((await call('PATCH', 'members/1', { body: { role: 'owner', name: 'Root' } })).status).toBe(200);
    // An invited owner can be demoted.
    expect((await call('PATCH', `members/${member.id}`, { body: { role: 'viewer' } })).status).toBe(200);
    expect((await call('PATCH', `members/${member.id}`, { body: { role: 'owner' } })).status).toBe(200);
    await acceptInvitation(call, token);
    expect((await demote()).body).toMatchObject({ id: 1, role: 'member' });
    expect((await call('DELETE', 'members/2')).body.code).toBe('last_owner');
  });

  test('the operator’s token acts as the remaining owner after the first owner is removed', async () => {
    const { call, restart } = await start();
    const ann = await addMember(call, 'ann@shop.example', 'owner');
    expect((await call('DELETE', 'members/1', { token: ann.token })).status).toBe(204);
    if (driver === 'file:') await restart();
    expect((await members(call)).map(({ id }) => id)).toEqual([ann.id]);
    expect((await call('PATCH', `members/${ann.id}`, { body: { name: 'Ann' } })).status).toBe(200);
  });
});

describeInMemory('the credentials of a member', (start) => {
  test('removal of a member revokes their sessions, tokens and password immediately', async () => {
    const { call } = await start();
    const ann = await addMember(call, 'ann@shop.example', 'owner');
    const { token } = await createPersonalToken(call, { token: ann.token });
    await call('DELETE', `members/${ann.id}`);
    for (const one of [ann.token, token])
      expect((await call('GET', 'projects', { token: one })).body.code).toBe('invalid_token');
    const login = await call('POST', 'auth/login', { token: null, body: { email: 'ann@shop.example', password } });
    expect(login.body.code).toBe('invalid_credentials');
  });

  test('removal of an invited member revokes the invitation, and the address can be invited again', async () => {
    const { call } = await start();
    const { member, token } = await inviteMember(call, 'ann@shop.example');
    await call('DELETE', `members/${member.id}`);
    expect((await acceptInvitation(call, token)).body.code).toBe('invalid_token');
    const again = await inviteMember(call, 'ann@shop.example');
    expect((await acceptInvitation(call, again.token)).status).toBe(201);
  });

  test('a password set by an owner ends the member’s sessions and keeps personal access tokens', async () => {
    const { call } = await start();
    const ann = await addMember(call, 'ann@shop.example', 'member');
    const { token } = await createPersonalToken(call, { token: ann.token });
    const changed = await call('PATCH', `members/${ann.id}`, { body: { password: 'another password' } });
    expect(changed.status).toBe(200);
    expect((await call('GET', 'projects', { token: ann.token })).body.code).toBe('invalid_token');
    expect((await call('GET', 'projects', { token })).status).toBe(200);
    const login = (secret: string) =>
      call('POST', 'auth/login', { token: null, body: { email: 'ann@shop.example', password: secret } });
    expect((await login(password)).status).toBe(401);
    expect((await login('another password')).status).toBe(200);
  });

  test('a password set by an owner for an invited member replaces the invitation', async () => {
    const { call } = await start();
    const { member, token } = await inviteMember(call, 'ann@shop.example');
    expect((await call('PATCH', `members/${member.id}`, { body: { password } })).body).toMatchObject({
      status: 'active',
    });
    expect((await acceptInvitation(call, token)).status).toBe(401);
    expect(await signIn(call, 'ann@shop.example')).not.toBe('');
  });

  test('an invited member cannot sign in before accepting the invitation', async () => {
    const { call } = await start();
    await inviteMember(call, 'ann@shop.example');
    for (const secret of ['', 'null', password]) {
      const login = await call('POST', 'auth/login', {
        token: null,
        body: { email: 'ann@shop.example', password: secret },
      });
      expect([login.status, login.body.code]).toEqual([401, 'invalid_credentials']);
    }
  });

  test.each([
    ['members', { role: 'member' }, 'email'],
    ['members', { email: 'ann', role: 'member' }, 'email'],
    ['members', { email: `${'a'.repeat(250)}@shop.example`, role: 'member' }, 'email'],
    ['members', { email: 'ann@shop.example' }, 'role'],
    ['members', { email: 'ann@shop.example', role: 'admin' }, 'role'],
    ['members', { email: 'ann@shop.example', role: 'member', password: 'short' }, 'password'],
    ['members', { email: 'ann@shop.example', role: 'member', name: ' ' }, 'name'],
    ['members', { email: 'ann@shop.example', role: 'member', team_id: 2 }, 'team_id'],
    ['auth/invitations/accept', { password }, 'token'],
    ['auth/invitations/accept', { token: 'x', password: 'short' }, 'password'],
    ['auth/invitations/accept', { token: 'x', password, email: 'a@b.example' }, 'email'],
  ])('POST /%s rejects %j', async (path, body, field) => {
    const { call } = await start();
    const response = await call('POST', path, { body });
    expect([response.status, response.body.errors?.[0]?.path]).toEqual([422, field]);
  });

  test('PATCH /members rejects an e-mail address and read-only or invalid fields', async () => {
    const { call } = await start();
    for (const body of [{ email: 'x@shop.example' }, { status: 'active' }, { role: null }, { password: 'short' }])
      expect((await call('PATCH', 'members/1', { body })).status).toBe(422);
  });
});

test('an invitation expires after 24 hours', async () => {
  let now = Date.UTC(2026, 10, 20);
  const { call, close } = await openService({}, { now: () => now });
  const [early, late] = [await inviteMember(call, 'ann@shop.example'), await inviteMember(call, 'ben@shop.example')];
  now += 24 * 3_600_000 - 1;
  expect((await acceptInvitation(call, early.token)).status).toBe(201);
  now += 1;
  expect((await acceptInvitation(call, late.token)).body.code).toBe('invalid_token');
  await close();
});
