import type { Model } from '../store/model/model.ts';
import type { UserRecord } from '../store/records/account-records.ts';

/** The operator's team and its owner. The first start creates them, so every server has an owner. */
export const operatorTeamId = 1;
export const operatorOwnerId = 1;

/**
 * Returns the user that the operator's token and sign-in links act as: the first owner. Once that user is no longer an
 * owner, returns the oldest owner of the operator's team who has a password, or undefined if there is no such owner.
 */
export function operatorOwner({ tables }: Model): UserRecord | undefined {
  const first = tables.users.get(operatorOwnerId);
  if (first?.role === 'owner') return first;
  for (const user of tables.users.values()) {
    if (user.team_id === operatorTeamId && user.role === 'owner' && user.password !== null) return user;
  }
  return undefined;
}
