import type { InvitationInput, Tokens } from '@service/protocol';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import type { Transaction } from '../store/log/transaction.ts';
import type { InvitationRecord } from '../store/records/account-records.ts';
import { endSessions } from '../credentials/revoke-access.ts';
import { createOneTimeTokenRecord } from './one-time-token-record.ts';
import { hashPassword } from '../credentials/password.ts';
import { hashSecret } from '../credentials/secret.ts';
import { createTokenSession } from './sessions.ts';
import { isExpired } from '../credentials/lifetimes.ts';

/** Stores an invitation that signs a member in with this token, once, within 24 hours. */
export function invite(transaction: Transaction, userId: number, token: string): void {
  transaction.put('invitations', createOneTimeTokenRecord(transaction, token, userId));
}

/**
 * Activates an invited member and signs them in. Rejects with `invalid_token` if the invitation was used or has
 * expired, with `team_disabled`, or with `overloaded` if too many passwords wait. If requests race for one invitation,
 * exactly one succeeds.
 */
export async function acceptInvitation(
  services: Services,
  { token, password, name }: InvitationInput,
): Promise<Tokens> {
  const id = hashSecret(token);
  // Checked before the hash, which is expensive, and again in the transaction.
  assertUsable(services.store.model.tables.invitations.get(id), services.now());
  const hash = await hashPassword(password, id);
  return createTokenSession(services, (transaction) => {
    const invitation = transaction.get('invitations', id);
    assertUsable(invitation, transaction.now);
    const user = transaction.get('users', invitation.user_id);
    if (!user) throw unusable();
    endSessions(transaction, user.id);
    transaction.put('users', { ...user, name: name ?? user.name, password: hash });
    return user.id;
  });
}

function assertUsable(invitation: InvitationRecord | undefined, now: number): asserts invitation {
  if (!invitation || isExpired(invitation.expires_at, now)) throw unusable();
}

function unusable(): ProblemError {
  return new ProblemError(
    'invalid_token',
    'The invitation was used or has expired. Sign in, or ask an owner of the team for a new one.',
  );
}
