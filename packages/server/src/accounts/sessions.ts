import type { RefreshInput, Tokens } from '@service/protocol';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import { accessTokenSeconds, cookieIdleMs, isExpired, maxCookieMs, tokenIdleMs } from '../credentials/lifetimes.ts';
import type { Transaction } from '../store/log/transaction.ts';
import type { SessionRecord } from '../store/records/account-records.ts';
import { assertTeamEnabled } from '../teams/assert-team-enabled.ts';
import { hashSecret, createSecret } from '../credentials/secret.ts';

/*
 * A session is identified by a secret. The storage has only its hash, which is the session's id. A refresh token begins
 * with the secret, so that a token that is used a second time still identifies the session to revoke. A cookie is
 * the secret alone.
 */

/** The maximum number of sessions of one user. One more ends the oldest. */
const maxSessionsPerUser = 100;

/** The minimum time between two entries about the use of a cookie: not every click needs an entry. */
const renewalIntervalMs = 5 * 60_000;

/** Returns the id of the user to sign in, or throws. Runs in the transaction that creates the session. */
export type UserResolver = (transaction: Transaction) => number;

/** The content of a session cookie. */
export interface SessionCookie {
  secret: string;
  maxAgeSeconds: number;
}

/** Signs a user in with tokens, for programs. */
export async function createTokenSession(services: Services, resolveUser: UserResolver): Promise<Tokens> {
  const secret = createSecret();
  const refresh_token = makeRefreshToken(secret);
  // Issued first because it may fail. Otherwise a session would remain whose tokens never reached the caller.
  const access_token = await services.accessTokens.issue(hashSecret(secret));
  await services.store.commit((transaction) =>
    addSession(
      transaction,
      secret,
      { user_id: resolveUser(transaction), refresh_hash: hashSecret(refresh_token) },
      tokenIdleMs,
    ),
  );
  return tokens(access_token, refresh_token);
}

/** Signs a user in with a cookie, for browsers. */
export async function createCookieSession({ store }: Services, resolveUser: UserResolver): Promise<SessionCookie> {
  const secret = createSecret();
  await store.commit((transaction) =>
    addSession(transaction, secret, { user_id: resolveUser(transaction), refresh_hash: null }, cookieIdleMs),
  );
  return { secret, maxAgeSeconds: cookieIdleMs / 1_000 };
}

/**
 * Exchanges a refresh token for a new pair of tokens. A refresh token works once: a second use ends the session,
 * because one of the two callers has stolen the token. Rejects with `invalid_token`.
 */
export async function refreshSession(services: Services, { refresh_token }: RefreshInput): Promise<Tokens> {
  const secret = secretOf(refresh_token);
  const id = hashSecret(secret);
  const next = makeRefreshToken(secret);
  const access_token = await services.accessTokens.issue(id);
  const isRefreshed = await services.store.commit((transaction) => {
    const session = useRefreshToken(transaction, refresh_token);
    if (!session) return false;
    transaction.put('sessions', {
      ...session,
      refresh_hash: hashSecret(next),
      expires_at: isoIn(transaction, tokenIdleMs),
    });
    return true;
  });
  if (!isRefreshed) throw invalidRefreshToken();
  return tokens(access_token, next);
}

/** Ends the session of a refresh token. Rejects with `invalid_token`. */
export async function endSessionByToken({ store }: Services, refreshToken: string): Promise<void> {
  const isEnded = await store.commit((transaction) => {
    const session = useRefreshToken(transaction, refreshToken);
    if (session) transaction.remove('sessions', session.id);
    return session !== null;
  });
  if (!isEnded) throw invalidRefreshToken();
}

/** Ends a session. Its access tokens and its cookie stop working immediately. */
export async function endSession({ store }: Services, id: string): Promise<void> {
  await store.commit((transaction) => {
    if (transaction.get('sessions', id)) transaction.remove('sessions', id);
  });
}

/** Returns the session with this id, or null if it has ended. */
export function findSession({ store, now }: Services, id: string): SessionRecord | null {
  const session = store.model.tables.sessions.get(id);
  return session && !isExpired(session.expires_at, now()) ? session : null;
}

/** Returns the session of a cookie, or null if it has ended. */
export function findCookieSession(services: Services, secret: string): SessionRecord | null {
  const session = findSession(services, hashSecret(secret));
  return session && isCookieSession(session) ? session : null;
}

/**
 * Extends the session of a cookie that is in use, if `isRenewalDue`. Resolves with the new lifetime of the cookie in
 * seconds, or null if it has not changed.
 */
export async function renewCookieSession({ store, log }: Services, { id }: SessionRecord): Promise<number | null> {
  try {
    return await store.commit((transaction) => {
      const session = transaction.get('sessions', id);
      if (!session || !isRenewalDue(session, transaction.now)) return null;
      const expiresAt = cookieEnd(session, transaction.now);
      transaction.put('sessions', { ...session, expires_at: new Date(expiresAt).toISOString() });
      return Math.floor((expiresAt - transaction.now) / 1_000);
    });
  } catch (error) {
    // A request that only reads must not fail because the storage can't be written. The cookie is still valid.
    log.warn({ err: error }, 'a session could not be extended');
    return null;
  }
}

/** Returns whether an extension of a cookie session would change its end by at least `renewalIntervalMs`. */
export function isRenewalDue(session: SessionRecord, now: number): boolean {
  return cookieEnd(session, now) - Date.parse(session.expires_at) >= renewalIntervalMs;
}

function cookieEnd({ created_at }: SessionRecord, now: number): number {
  return Math.min(now + cookieIdleMs, Date.parse(created_at) + maxCookieMs);
}

function isCookieSession(session: SessionRecord): boolean {
  return session.refresh_hash === null;
}

/**
 * Returns the session of a refresh token, or null if it has ended or expired. If the token was used before, ends
 * the session and returns null instead of throwing, because a transaction that throws changes nothing. Throws
 * `invalid_token` for a malformed token.
 */
function useRefreshToken(transaction: Transaction, refreshToken: string): SessionRecord | null {
  const session = transaction.get('sessions', hashSecret(secretOf(refreshToken)));
  if (!session || isCookieSession(session) || isExpired(session.expires_at, transaction.now)) return null;
  if (session.refresh_hash === hashSecret(refreshToken) && transaction.get('users', session.user_id)) return session;
  transaction.remove('sessions', session.id);
  return null;
}

function tokens(access_token: string, refresh_token: string): Tokens {
  return { access_token, token_type: 'Bearer', expires_in: accessTokenSeconds, refresh_token };
}

function makeRefreshToken(secret: string): string {
  return `${secret}.${createSecret()}`;
}

function secretOf(refreshToken: string): string {
  const [secret, once] = refreshToken.split('.', 2);
  if (!secret || !once) throw invalidRefreshToken();
  return secret;
}

function invalidRefreshToken(): ProblemError {
  return new ProblemError('invalid_token', 'The refresh token was used or has expired. Sign in again.');
}

function addSession(
  transaction: Transaction,
  secret: string,
  session: Pick<SessionRecord, 'user_id' | 'refresh_hash'>,
  lifeMs: number,
): void {
  const user = transaction.get('users', session.user_id);
  assertTeamEnabled(user && transaction.get('teams', user.team_id));
  const created_at = new Date(transaction.now).toISOString();
  removeExpired(transaction, session.user_id, created_at);
  transaction.put('sessions', {
    id: hashSecret(secret),
    ...session,
    created_at,
    expires_at: isoIn(transaction, lifeMs),
  });
}

/**
 * Removes all expired sessions and sign-in links, and the user's oldest sessions beyond the maximum. ISO times sort as
 * strings.
 */
function removeExpired(transaction: Transaction, userId: number, now: string): void {
  const own: SessionRecord[] = [];
  for (const session of transaction.rows('sessions')) {
    if (session.expires_at <= now) transaction.remove('sessions', session.id);
    else if (session.user_id === userId) own.push(session);
  }
  for (const { id, expires_at } of transaction.rows('links')) if (expires_at <= now) transaction.remove('links', id);
  if (own.length < maxSessionsPerUser) return;
  const oldestFirst = own.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
  for (const { id } of oldestFirst.slice(0, own.length - maxSessionsPerUser + 1)) transaction.remove('sessions', id);
}

function isoIn(transaction: Transaction, ms: number): string {
  return new Date(transaction.now + ms).toISOString();
}
