import type { Role } from '@service/protocol';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import type { SessionRecord } from '../store/records/records.ts';
import { invalidToken } from '../credentials/access-token.ts';
import { operatorOwner, operatorTeamId } from '../credentials/first-owner.ts';
import { personalTokenPrefix, readPersonalToken } from './read-personal-token.ts';
import { isSameSecret } from '../credentials/secret.ts';
import { findSession } from './sessions.ts';

/** Who calls, as the storage knows them now. */
export interface Caller {
  userId: number;
  teamId: number;
  role: Role;
  via: Via;
}

/**
 * By what a caller is known: a Bearer of a session, good until some millisecond, the cookie of one, a personal access
 * token, or the operator's token.
 */
export type Via =
  | { kind: 'session'; id: string; expiresAt: number }
  | { kind: 'cookie'; id: string }
  | { kind: 'token'; id: number }
  | { kind: 'operator' };

/** Whose Bearer token this is. Throws `invalid_token` or `expired_token`. */
export async function readCaller(services: Services, token: string): Promise<Caller> {
  const { config, store, accessTokens, now } = services;
  if (config.adminToken !== null && isSameSecret(token, config.adminToken))
    return callerOf(store, operatorOwner(store.model)?.id, { kind: 'operator' });
  if (token.startsWith(personalTokenPrefix)) {
    const { id, user_id } = readPersonalToken(store.model, token, now());
    return callerOf(store, user_id, { kind: 'token', id });
  }
  const { sessionId, expiresAt } = await accessTokens.read(token);
  const session = findSession(services, sessionId);
  if (!session) throw invalidToken();
  return callerOf(store, session.user_id, { kind: 'session', id: session.id, expiresAt });
}

/** Whose cookie has this session. Throws `invalid_token`. */
export function readCookieCaller({ store }: Services, session: SessionRecord): Caller {
  return callerOf(store, session.user_id, { kind: 'cookie', id: session.id });
}

/** The id of the session that a caller is known by, if it is one. */
export function sessionOf({ via }: Caller): string | undefined {
  return via.kind === 'session' || via.kind === 'cookie' ? via.id : undefined;
}

/** Members write, viewers only read. */
export function assertMayWrite(caller: Caller): void {
  if (caller.role === 'viewer')
    throw new ProblemError('forbidden', 'Viewers can read, but change nothing. Ask an owner of the team.');
}

/** Throws `forbidden` for everybody but owners. */
export function assertOwner(caller: Caller): void {
  if (caller.role !== 'owner') throw new ProblemError('forbidden', 'Only owners of the team may do this.');
}

/** What concerns the whole server: owners of its operator's team only. */
export function assertOperator(caller: Caller): void {
  if (caller.role !== 'owner' || caller.teamId !== operatorTeamId)
    throw new ProblemError('forbidden', 'Only owners of the team that operates this server may do this.');
}

function callerOf(store: Services['store'], userId: number | undefined, via: Via): Caller {
  const user = userId === undefined ? undefined : store.model.tables.users.get(userId);
  if (!user) throw invalidToken();
  return { userId: user.id, teamId: user.team_id, role: user.role, via };
}
