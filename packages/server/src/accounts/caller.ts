import type { Role } from '@service/protocol';
import type { Services } from '../services.ts';
import type { SessionRecord } from '../store/records/account-records.ts';
import { invalidToken } from '../credentials/access-token.ts';
import { operatorOwner } from '../teams/operator-team.ts';
import { personalTokenPrefix, readPersonalToken } from './read-personal-token.ts';
import { isSameSecret } from '../credentials/secret.ts';
import { assertTeamEnabled } from '../teams/assert-team-enabled.ts';
import { findSession } from './sessions.ts';

/** The user who sends a request, with their current role. */
export interface Caller {
  userId: number;
  teamId: number;
  role: Role;
  /** True if the caller can only read until the e-mail address is confirmed. */
  mustVerify?: boolean;
  credential: CallerCredential;
}

/**
 * The credential of a caller: the access token of a session (`expiresAt` in milliseconds since 1970, `signingKey` the
 * key that verified it), its cookie, a personal access token, or the operator's token.
 */
export type CallerCredential =
  | { kind: 'session'; id: string; expiresAt: number; signingKey: Buffer }
  | { kind: 'cookie'; id: string }
  | { kind: 'token'; id: number }
  | { kind: 'operator' };

/** Authenticates a Bearer token. Rejects with `invalid_token`, `expired_token` or `team_disabled`. */
export async function readCaller(services: Services, token: string): Promise<Caller> {
  const { config, store, accessTokens, now } = services;
  if (config.adminToken !== null && isSameSecret(token, config.adminToken))
    return callerOf(services, operatorOwner(store.model)?.id, { kind: 'operator' });
  if (token.startsWith(personalTokenPrefix)) {
    const { id, user_id } = readPersonalToken(store.model, token, now());
    return callerOf(services, user_id, { kind: 'token', id });
  }
  const { sessionId, expiresAt, signingKey } = await accessTokens.read(token);
  const session = findSession(services, sessionId);
  if (!session) throw invalidToken();
  return callerOf(services, session.user_id, { kind: 'session', id: session.id, expiresAt, signingKey });
}

/** Returns the caller of a cookie session. Throws `invalid_token` if the user was removed, or `team_disabled`. */
export function readCookieCaller(services: Services, session: SessionRecord): Caller {
  return callerOf(services, session.user_id, { kind: 'cookie', id: session.id });
}

/** Returns the id of the caller's session, or undefined for a personal access token or the operator's token. */
export function sessionOf({ credential }: Caller): string | undefined {
  return credential.kind === 'session' || credential.kind === 'cookie' ? credential.id : undefined;
}

function callerOf({ store, mailer }: Services, userId: number | undefined, credential: CallerCredential): Caller {
  const user = userId === undefined ? undefined : store.model.tables.users.get(userId);
  if (!user) throw invalidToken();
  assertTeamEnabled(store.model.tables.teams.get(user.team_id));
  // Without a mail server no user could verify an address.
  const mustVerify = user.must_verify === true && mailer !== null;
  return { userId: user.id, teamId: user.team_id, role: user.role, mustVerify, credential };
}
