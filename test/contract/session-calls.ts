import { expect } from 'vitest';
import type { ApiResponse } from './api-call.ts';
import type { TestContext, TestUser, Tokens } from './context.ts';
import { adminPassword } from './credentials.ts';

/** Matches the body of a response that signs in. */
export const tokenPair = {
  access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
  token_type: 'Bearer',
  expires_in: 900,
  refresh_token: expect.stringMatching(/^\S{20,}$/),
};

export function login(
  context: TestContext,
  email: string,
  password: string,
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  return context.call('POST', 'auth/login', { token: null, body: { email, password }, headers });
}

export function refresh(context: TestContext, refresh_token: string): Promise<ApiResponse> {
  return context.call('POST', 'auth/refresh', { token: null, body: { refresh_token } });
}

/** The session cookie of a sign-in. */
export interface SessionCookie {
  /** `name=value`, as a browser sends it. */
  pair: string;
  attributes: string[];
}

/** Signs a user in by cookie, by default the operator's owner. */
export async function openCookieSession(context: TestContext, person?: TestUser): Promise<SessionCookie> {
  const body = { email: person?.email ?? 'admin@localhost', password: person?.password ?? adminPassword };
  const response = await context.call('POST', 'auth/session', { token: null, body });
  expect(response.status, response.text).toBe(204);
  return readCookie(response);
}

function readCookie({ headers }: ApiResponse): SessionCookie {
  const [cookie = '', ...more] = headers.getSetCookie();
  expect(more).toEqual([]);
  const [pair = '', ...attributes] = cookie.split(/; */);
  return { pair, attributes: attributes.map((attribute) => attribute.toLowerCase()) };
}

/** Returns whether the access token is valid. */
export async function canUseApi(
  context: TestContext,
  { access_token }: Pick<Tokens, 'access_token'>,
): Promise<boolean> {
  return (await context.call('GET', 'projects', { token: access_token })).status === 200;
}

/** Asserts that both tokens of a session are invalid. */
export async function expectSessionEnded(context: TestContext, session: Tokens): Promise<void> {
  expect(await context.outcome('GET', 'projects', { token: session.access_token })).toBe('invalid_token');
  expect((await refresh(context, session.refresh_token)).body.code).toBe('invalid_token');
}
