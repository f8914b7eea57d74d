import type { AccountDeletion } from '@service/protocol';
import { invalidToken } from '../credentials/access-token.ts';
import type { Services } from '../services.ts';
import type { Caller } from './caller.ts';
import { commitAsCaller } from './commit-as-caller.ts';
import { assertOwnerStays } from './members.ts';
import { removeUser } from './revoke-access.ts';
import { checkPassword, invalidCredentials } from './sign-in.ts';

/** Deletes the caller's account. Rejects with `invalid_credentials` or `last_owner`. */
export async function deleteMe(
  services: Services,
  caller: Caller,
  { current_password }: AccountDeletion,
  address: string,
): Promise<void> {
  const { password } = await confirmPassword(services, caller, current_password, address);
  await commitAsCaller(services, caller, (transaction) => {
    const user = transaction.get('users', caller.userId);
    if (!user) throw invalidToken();
    // The password may have been changed while it was compared.
    if (user.password !== password) throw invalidCredentials();
    assertOwnerStays(transaction, user);
    removeUser(transaction, user.id);
  });
}

/**
 * Resolves with the caller's account if the password is theirs. Rejects with `invalid_credentials`, or like
 * `commitAsCaller()` if the caller has lost access.
 */
export async function confirmPassword(
  services: Services,
  caller: Caller,
  password: string,
  address: string,
): ReturnType<typeof checkPassword> {
  const user = await commitAsCaller(services, caller, (transaction) => transaction.get('users', caller.userId));
  return checkPassword(services, user?.email ?? '', password, address);
}
