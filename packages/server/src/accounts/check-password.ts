import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import type { UserRecord } from '../store/records/account-records.ts';
import { verifyPassword } from '../credentials/password.ts';

/**
 * Resolves with the user of an e-mail and password. Rejects with `too_many_requests`, `overloaded` or
 * `invalid_credentials`.
 */
export async function checkPassword(
  { ownerSetup, signInLimits, store }: Services,
  email: string,
  password: string,
  clientAddress: string,
): Promise<UserRecord> {
  const given = email.trim().toLowerCase();
  const attempt = signInLimits.attempt(given, clientAddress);
  // A limited caller is rejected before taking room in the queue.
  attempt.begin();
  await ownerSetup.attempt;
  const user = store.model.tables.users.find(given);
  if (!(await verifyPassword(password, user?.password ?? null, attempt)) || !user) throw invalidCredentials();
  return user;
}

export function invalidCredentials(): ProblemError {
  return new ProblemError('invalid_credentials', 'Wrong e-mail or password.');
}
