import type { AccountDeletion } from '@service/protocol';
import { invalidToken } from '../credentials/access-token.ts';
import type { Services } from '../services.ts';
import type { Caller } from './caller.ts';
import { checkCallerPassword } from './check-caller-password.ts';
import { commitAsCaller } from './commit-as-caller.ts';
import { assertOwnerStays } from './members.ts';
import { removeUser } from '../credentials/revoke-access.ts';
import { invalidCredentials } from './check-password.ts';

/**
 * Deletes the caller's account. Rejects like `checkCallerPassword()`, or with `last_owner` for the only active owner.
 */
export async function deleteMe(
  services: Services,
  caller: Caller,
  { current_password }: AccountDeletion,
  clientAddress: string,
): Promise<void> {
  const { password } = await checkCallerPassword(services, caller, current_password, clientAddress);
  await commitAsCaller(services, caller, (transaction) => {
    const user = transaction.get('users', caller.userId);
    if (!user) throw invalidToken();
    // The password may have been changed while it was compared.
    if (user.password !== password) throw invalidCredentials();
    assertOwnerStays(transaction, user);
    removeUser(transaction, user.id);
  });
}
