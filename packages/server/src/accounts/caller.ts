import type { Role } from '@service/protocol';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import { invalidToken } from './access-token.ts';
import { operatorOwnerId } from './first-owner.ts';
import { isSameSecret } from './secret.ts';

/** Who calls, as the storage knows them now. */
export interface Caller {
  userId: number;
  teamId: number;
  role: Role;
  via: Via;
}

/** By what a caller is known: a Bearer or the cookie of a session, a personal access token, or the operator's token. */
export type Via =
  | { kind: 'session'; id: string }
  | { kind: 'cookie'; id: string }
  | { kind: 'token'; id: number }
  | { kind: 'operator' };

/** Whose Bearer token this is. Throws `invalid_token` or `expired_token`. */
export async function readCaller({ config, store, accessTokens, now }: Services, token: string): Promise<Caller> {
  if (config.adminToken !== null && isSameSecret(token, config.adminToken))
    return callerOf(store, operatorOwnerId, { kind: 'operator' });
  const session = store.model.tables.sessions.get(await accessTokens.read(token));
  if (!session || Date.parse(session.expires_at) <= now()) throw invalidToken();
  return callerOf(store, session.user_id, { kind: 'session', id: session.id });
}

/** Members write, viewers only read. */
export function assertMayWrite(caller: Caller): void {
  if (caller.role === 'viewer')
    throw new ProblemError('forbidden', 'Viewers can read, but change nothing. Ask an owner of the team.');
}

function callerOf(store: Services['store'], userId: number, via: Via): Caller {
  const user = store.model.tables.users.get(userId);
  if (!user) throw invalidToken();
  return { userId: user.id, teamId: user.team_id, role: user.role, via };
}
