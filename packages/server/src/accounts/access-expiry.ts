import type { Model } from '../store/model/model.ts';
import { signingKey } from '../credentials/signing-key.ts';
import type { Caller } from './caller.ts';

/**
 * Returns when a caller's access ends, in milliseconds since 1970; 0 if it has ended. Open event streams check this
 * time again and again, because requests with the session cookie extend it.
 */
export function accessExpiry(model: Model, { userId, credential }: Caller): number {
  // The operator's token is a setting of the server. It does not depend on a user.
  if (credential.kind === 'operator') return Infinity;
  const { tables } = model;
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
  if (credential.kind === 'cookie') return endsAt;
  // A rotation of the key invalidates all access tokens.
  return credential.signingKey.equals(signingKey(model)) ? Math.min(credential.expiresAt, endsAt) : 0;
}
