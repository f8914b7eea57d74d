import type { Model } from '../store/model/model.ts';
import type { Caller } from './caller.ts';

/**
 * Returns when a caller's access ends, in milliseconds since 1970; 0 if it has ended. Open event streams check this
 * time again and again, because requests with the session cookie extend it.
 */
export function accessExpiry({ tables }: Model, { userId, credential }: Caller): number {
  // The operator's token is a setting of the server. It does not depend on a user.
  if (credential.kind === 'operator') return Infinity;
  const user = tables.users.get(userId);
  if (!user || tables.teams.get(user.team_id)?.disabled_at !== undefined) return 0;
  if (credential.kind === 'token') {
    const token = tables.personal_tokens.get(credential.id);
    if (!token) return 0;
    return token.expires_at === null ? Infinity : Date.parse(token.expires_at);
  }
  const session = tables.sessions.get(credential.id);
  if (!session) return 0;
  const endsAt = Date.parse(session.expires_at);
  return credential.kind === 'session' ? Math.min(credential.expiresAt, endsAt) : endsAt;
}
