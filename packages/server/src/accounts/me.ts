import type { Me, MePatch } from '@service/protocol';
import type { Services } from '../services.ts';
import { invalidToken } from '../credentials/access-token.ts';
import { sessionOf, type Caller } from './caller.ts';
import { commitAsCaller } from './commit-as-caller.ts';
import { endSessions } from '../credentials/revoke-access.ts';
import { hashPassword } from '../credentials/password.ts';
import { addressKey } from '../limits/address-key.ts';
import { emailStatus } from './verification.ts';
import { checkPassword, invalidCredentials } from './check-password.ts';

/** Returns the caller's user and team. */
export function readMe(services: Services, { userId }: Caller): Me {
  const { store, plans } = services;
  const { users, teams } = store.model.tables;
  const user = users.get(userId);
  const team = user && teams.get(user.team_id);
  if (!team) throw invalidToken();
  const { id, email, name, role } = user;
  const email_status = emailStatus(services, user);
  return {
    id,
    email,
    name,
    role,
    team: { id: team.id, name: team.name, plan: plans.of(team).id },
    ...(email_status && { email_status }),
  };
}

/**
 * Changes name and password. A new password ends all other sessions of the user and invalidates sign-in links, since
 * the old password may have been stolen.
 */
export async function updateMe(services: Services, caller: Caller, patch: MePatch, clientAddress: string): Promise<Me> {
  const change = await readPasswordChange(services, caller, patch, clientAddress);
  await commitAsCaller(services, caller, (transaction) => {
    const user = transaction.get('users', caller.userId);
    if (!user) throw invalidToken();
    // A concurrent change may have replaced the password that was verified.
    if (change && user.password !== change.from) throw invalidCredentials();
    const { name = user.name } = patch;
    transaction.put('users', { ...user, name, password: change?.to ?? user.password });
    if (change) endSessions(transaction, user.id, sessionOf(caller));
  });
  return readMe(services, caller);
}

async function readPasswordChange(
  services: Services,
  { userId }: Caller,
  { password, current_password = '' }: MePatch,
  clientAddress: string,
): Promise<{ from: string | null; to: string } | null> {
  if (password === undefined) return null;
  const { email = '' } = services.store.model.tables.users.get(userId) ?? {};
  const { password: from } = await checkPassword(services, email, current_password, clientAddress);
  return { from, to: await hashPassword(password, addressKey(clientAddress)) };
}
