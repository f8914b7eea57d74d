import type { RefreshInput, Tokens } from '@service/protocol';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import type { Transaction } from '../store/log/transaction.ts';
import type { SessionRecord } from '../store/records/records.ts';
import { accessTokenSeconds } from '../credentials/access-token.ts';
import { hashSecret, makeSecret } from '../credentials/secret.ts';

/*
 * A session is known by a secret of which the storage has only the hash, its id. Who has tokens sends the secret at the
 * beginning of each refresh token, so that one that was used before still says which session it betrays. Who has a
 * cookie sends nothing else.
 */

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A session with tokens ends when it was not refreshed for so long. */
const tokensMs = 30 * dayMs;
/** One with a cookie ends when it was not used for so long … */
const cookieIdleMs = 12 * hourMs;
/** … and however much it was. */
const cookieMs = 30 * dayMs;
/** That a cookie was used is written down no more often: the log need not tell of every click. */
const renewMs = 5 * 60_000;
const mostOfOneUser = 100;

/** Says in the transaction whose session it is going to be, or throws. */
export type Whose = (transaction: Transaction) => number;

/** What a browser is given to keep. */
export interface SessionCookie {
  secret: string;
  maxAgeSeconds: number;
}

/** Signs a program in. */
export async function openTokenSession(services: Services, whose: Whose): Promise<Tokens> {
  const secret = makeSecret();
  const refresh_token = makeRefreshToken(secret);
  // First, for it may fail: a session that nobody was told of would stay.
  const access_token = await services.accessTokens.issue(hashSecret(secret));
  await services.store.commit((transaction) =>
    addSession(transaction, secret, { user_id: whose(transaction), refresh_hash: hashSecret(refresh_token) }, tokensMs),
  );
  return tokens(access_token, refresh_token);
}

/** Signs a browser in. */
export async function openCookieSession({ store }: Services, whose: Whose): Promise<SessionCookie> {
  const secret = makeSecret();
  await store.commit((transaction) =>
    addSession(transaction, secret, { user_id: whose(transaction), refresh_hash: null }, cookieIdleMs),
  );
  return { secret, maxAgeSeconds: cookieIdleMs / 1_000 };
}

/**
 * Gives a new pair of tokens for a refresh token, which works once: whoever comes with it again ends the session,
 * for one of the two has stolen it.
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
      expires_at: isoIn(transaction, tokensMs),
    });
    return true;
  });
  if (!isRefreshed) throw invalidRefreshToken();
  return tokens(access_token, next);
}

/** Signs out whoever has this refresh token. */
export async function endSessionByToken({ store }: Services, refreshToken: string): Promise<void> {
  const isEnded = await store.commit((transaction) => {
    const session = useRefreshToken(transaction, refreshToken);
    if (session) transaction.remove('sessions', session.id);
    return session !== null;
  });
  if (!isEnded) throw invalidRefreshToken();
}

/** Signs out. From then on neither its access tokens nor its cookie open anything. */
export async function endSession({ store }: Services, id: string): Promise<void> {
  await store.commit((transaction) => {
    if (transaction.get('sessions', id)) transaction.remove('sessions', id);
  });
}

/** The session with this id, as long as it lasts. */
export function findSession({ store, now }: Services, id: string): SessionRecord | null {
  const session = store.model.tables.sessions.get(id);
  return session && Date.parse(session.expires_at) > now() ? session : null;
}

/** The session of a cookie, as long as it lasts. */
export function findCookieSession(services: Services, secret: string): SessionRecord | null {
  const session = findSession(services, hashSecret(secret));
  return session && isCookieSession(session) ? session : null;
}

/**
 * Notes that a cookie is in use, if that is due. Resolves with how long the cookie lasts from now on, or null if
 * nothing has changed.
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
    // Whoever only reads need not know that nothing can be written; the cookie is good for a while yet.
    log.warn({ err: error }, 'the use of a session could not be noted');
    return null;
  }
}

/** Whether it is worth an entry to let this session of a cookie last longer. */
export function isRenewalDue(session: SessionRecord, now: number): boolean {
  return cookieEnd(session, now) - Date.parse(session.expires_at) >= renewMs;
}

function cookieEnd({ created_at }: SessionRecord, now: number): number {
  return Math.min(now + cookieIdleMs, Date.parse(created_at) + cookieMs);
}

function isCookieSession(session: SessionRecord): boolean {
  return session.refresh_hash === null;
}

/**
 * The session that a refresh token is good for. If it is good no more the session ends: null then, and not an error,
 * for a decision that throws says that it has changed nothing.
 */
function useRefreshToken(transaction: Transaction, refreshToken: string): SessionRecord | null {
  const session = transaction.get('sessions', hashSecret(secretOf(refreshToken)));
  if (!session || isCookieSession(session) || Date.parse(session.expires_at) <= transaction.now) return null;
  if (session.refresh_hash === hashSecret(refreshToken) && transaction.get('users', session.user_id)) return session;
  transaction.remove('sessions', session.id);
  return null;
}

function tokens(access_token: string, refresh_token: string): Tokens {
  return { access_token, token_type: 'Bearer', expires_in: accessTokenSeconds, refresh_token };
}

function makeRefreshToken(secret: string): string {
  return `${secret}.${makeSecret()}`;
}

function secretOf(refreshToken: string): string {
  const [secret, once] = refreshToken.split('.', 2);
  if (!secret || !once) throw invalidRefreshToken();
  return secret;
}

function invalidRefreshToken(): ProblemError {
  return new ProblemError('invalid_token', 'The refresh token has been used or has expired. Sign in again.');
}

function addSession(
  transaction: Transaction,
  secret: string,
  session: Pick<SessionRecord, 'user_id' | 'refresh_hash'>,
  lifeMs: number,
): void {
  const created_at = new Date(transaction.now).toISOString();
  removeOld(transaction, session.user_id, created_at);
  transaction.put('sessions', {
    id: hashSecret(secret),
    ...session,
    created_at,
    expires_at: isoIn(transaction, lifeMs),
  });
}

/** Makes room: sessions that are over go, and the oldest of a user who has very many. Texts of times sort as times do. */
function removeOld(transaction: Transaction, userId: number, now: string): void {
  const own: SessionRecord[] = [];
  for (const session of transaction.rows('sessions')) {
    if (session.expires_at <= now) transaction.remove('sessions', session.id);
    else if (session.user_id === userId) own.push(session);
  }
  for (const { id, expires_at } of transaction.rows('links')) if (expires_at <= now) transaction.remove('links', id);
  if (own.length < mostOfOneUser) return;
  const oldestFirst = own.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
  for (const { id } of oldestFirst.slice(0, own.length - mostOfOneUser + 1)) transaction.remove('sessions', id);
}

function isoIn(transaction: Transaction, ms: number): string {
  return new Date(transaction.now + ms).toISOString();
}
