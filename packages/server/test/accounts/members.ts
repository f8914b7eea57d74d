import type { Member, NewMember, NewPersonalToken, Page, Role, Tokens } from '@service/protocol';
import { expect } from 'vitest';
import type { TestResponse, Body, CallOptions, TestService } from '../test-utils/describe-service.ts';

/** Calls the API, over a socket or in memory. */
export type Call = TestService['call'];

export const password = 'correct horse battery';

/** Adds a member to the owner's team and signs the member in. */
export async function addMember(call: Call, email: string, role: Role): Promise<{ id: number; token: string }> {
  const { status, body } = await call<NewMember>('POST', 'members', { body: { email, role, password } });
  expect(status).toBe(201);
  return { id: body.id, token: await signIn(call, email) };
}

/** Signs in with the password that all test accounts share. Returns the access token. */
export async function signIn(call: Call, email: string): Promise<string> {
  const { body } = await call<Tokens>('POST', 'auth/login', { token: null, body: { email, password } });
  expect(body.access_token).toBeDefined();
  return body.access_token;
}

/** Invites a user into the owner's team. Returns the new member and the token of the invitation. */
export async function inviteMember(
  call: Call,
  email: string,
  role: Role = 'member',
): Promise<{ member: NewMember; token: string }> {
  const { body } = await call<NewMember>('POST', 'members', { body: { email, role } });
  return { member: body, token: body.invite_url?.split('#invitation=')[1] ?? '' };
}

export function acceptInvitation(call: Call, token: string, fields: object = {}): Promise<TestResponse<Tokens & Body>> {
  return call('POST', 'auth/invitations/accept', { token: null, body: { token, password, ...fields } });
}

export async function members(call: Call): Promise<Member[]> {
  return (await call<Page<Member>>('GET', 'members')).body.items;
}

/** Creates a personal access token for the caller that `options` name. */
export async function createPersonalToken(call: Call, options: CallOptions = {}): Promise<NewPersonalToken> {
  const { status, body } = await call<NewPersonalToken>('POST', 'auth/tokens', { body: { name: 'CI' }, ...options });
  expect(status).toBe(201);
  return body;
}
