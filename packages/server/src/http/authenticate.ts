import type { H3Event } from 'h3';
import { invalidToken } from '../credentials/access-token.ts';
import { readCaller, readCookieCaller, type Caller } from '../accounts/caller.ts';
import { findCookieSession, isRenewalDue, renewCookieSession } from '../accounts/sessions.ts';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import { assertSameOrigin } from './same-origin.ts';
import { readSessionCookie, setSessionCookie } from './session-cookie.ts';

/**
 * Returns the caller, identified by `Authorization: Bearer …` or else by the session cookie of a browser. Rejects with
 * `missing_token`, `invalid_token`, `expired_token` or `team_disabled`. Rejects with `forbidden` if a page of another
 * origin may have sent a write request with the cookie.
 */
export async function authenticate(services: Services, event: H3Event): Promise<Caller> {
  const token = readBearer(event);
  if (token !== null) return readCaller(services, token);
  const secret = readSessionCookie(event);
  if (secret !== null) return authenticateCookie(services, event, secret);
  throw new ProblemError('missing_token', 'Send the header Authorization: Bearer <access token>.');
}

/** Returns the Bearer token or null. Other schemes are ignored: they are meant for a proxy in front of the server. */
export function readBearer(event: H3Event): string | null {
  return /^Bearer +(\S+)$/i.exec(event.req.headers.get('authorization') ?? '')?.[1] ?? null;
}

async function authenticateCookie(services: Services, event: H3Event, secret: string): Promise<Caller> {
  const session = findCookieSession(services, secret);
  if (!session) throw invalidToken();
  const caller = readCookieCaller(services, session);
  assertSameOrigin(services, event);
  if (isRenewalDue(session, services.now())) {
    const maxAgeSeconds = await renewCookieSession(services, session);
    if (maxAgeSeconds !== null) setSessionCookie(services, event, { secret, maxAgeSeconds });
  }
  return caller;
}
