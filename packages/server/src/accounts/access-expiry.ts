import type { Model } from '../store/model/model.ts';
import type { Caller } from './caller.ts';

/**
 * When a caller is no longer let in, as it stands now: milliseconds, 0 if that is over. For whoever listens on after the
 * answer has begun. A cookie that is used meanwhile lasts longer.
 */
export function accessExpiry({ tables }: Model, { userId, via }: Caller): number {
  // It is the operator's setting, whoever owns the team.
  if (via.kind === 'operator') return Infinity;
  if (!tables.users.get(userId)) return 0;
  if (via.kind === 'token') {
    const token = tables.personal_tokens.get(via.id);
    if (!token) return 0;
    return token.expires_at === null ? Infinity : Date.parse(token.expires_at);
  }
  const session = tables.sessions.get(via.id);
  if (!session) return 0;
  const endsAt = Date.parse(session.expires_at);
  return via.kind === 'session' ? Math.min(via.expiresAt, endsAt) : endsAt;
}
