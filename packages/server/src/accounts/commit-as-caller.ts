import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import type { Transaction } from '../store/log/transaction.ts';
import type { TransactionBody } from '../store/log/ledger.ts';
import { invalidToken } from '../credentials/access-token.ts';
import type { Caller, CallerCredential } from './caller.ts';

/**
 * Runs a transaction for a caller whose access is checked again inside it: receiving a body can take half a minute, a
 * source map five minutes. A caller who was removed or signed out in that time, or whose role has changed, changes
 * nothing. Rejects with `invalid_token` or `forbidden`, otherwise like `Store.commit`.
 */
export function commitAsCaller<Result>(
  { store }: Pick<Services, 'store'>,
  caller: Caller,
  body: TransactionBody<Result>,
): Promise<Result> {
  return store.commit((transaction) => {
    assertStillAuthorized(transaction, caller);
    return body(transaction);
  });
}

function assertStillAuthorized(transaction: Transaction, { userId, role, credential }: Caller): void {
  const user = transaction.get('users', userId);
  if (!user || !isValid(transaction, credential)) throw invalidToken();
  if (user.role !== role) throw new ProblemError('forbidden', 'Your role in the team has just changed. Try again.');
}

/** Returns whether the credential has not been revoked. */
function isValid(transaction: Transaction, credential: CallerCredential): boolean {
  if (credential.kind === 'operator') return true;
  const record =
    credential.kind === 'token'
      ? transaction.get('personal_tokens', credential.id)
      : transaction.get('sessions', credential.id);
  return record !== undefined;
}
