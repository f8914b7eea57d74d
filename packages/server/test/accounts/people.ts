import type { Member, NewMember, NewPersonalToken, Page, Role, Tokens } from '@service/protocol';
import { expect } from 'vitest';
import type { Answer, Body, CallOptions, TestService } from '../test-utils/service.ts';

/** How the API is called, over a socket or without. */
export type Call = TestService['call'];

export const password = 'correct horse battery';

/** Adds a member to the owner's team, and signs them in. */
export async function addMember(call: Call, email: string, role: Role): Promise<{ id: number; token: string }> {
  const { status, body } = await call<NewMember>('POST', 'members', { body: { email, role, password } });
  expect(status).toBe(201);
  return { id: body.id, token: await signIn(call, email) };
}

/** An access token of whoever has the password that tests use. */
export async function signIn(call: Call, email: string): Promise<string> {
  const { body } = await call<Tokens>('POST', 'auth/login', { token: null, body: { email, password } });
  expect(body.access_token).toBeDefined();
  return body.access_token;
}

/** Invites somebody into the owner's team: with the token that the invitation holds. */
export async function inviteMember(
  call: Call,
  email: string,
  role: Role = 'member',
): Promise<{ member: NewMember; token: string }> {
  const { body } = await call<NewMember>('POST', 'members', { body: { email, role } });
  return { member: body, token: body.invite_url?.split('#invitation=')[1] ?? '' };
}

export function acceptInvitation(call: Call, token: string, fields: object = {}): Promise<Answer<Tokens & Body>> {
  return call('POST', 'auth/invitations/accept', { token: null, body: { token, password, ...fields } });
}

export async function members(call: Call): Promise<Member[]> {
  return (await call<Page<Member>>('GET', 'members')).body.items;
}

/** Makes a personal access token of whoever `options` call as. */
export async function makeToken(call: Call, options: CallOptions = {}): Promise<NewPersonalToken> {
  const { status, body } = await call<NewPersonalToken>('POST', 'auth/tokens', { body: { name: 'CI' }, ...options });
  expect(status).toBe(201);
  return body;
}
