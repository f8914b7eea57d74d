import type { Services } from '../services.ts';
import type { Caller } from './caller.ts';
import { commitAsCaller } from './commit-as-caller.ts';
import { checkPassword } from './check-password.ts';

/**
 * Resolves with the caller's account if the password is theirs. Rejects like `checkPassword()`, or like
 * `commitAsCaller()` if the caller has lost access.
 */
export async function checkCallerPassword(
  services: Services,
  caller: Caller,
  password: string,
  clientAddress: string,
): ReturnType<typeof checkPassword> {
  const user = await commitAsCaller(services, caller, (transaction) => transaction.get('users', caller.userId));
  return checkPassword(services, user?.email ?? '', password, clientAddress);
}
