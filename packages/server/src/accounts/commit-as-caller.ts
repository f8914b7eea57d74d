import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import type { Transaction } from '../store/log/transaction.ts';
import type { TransactionBody } from '../store/log/ledger.ts';
import { invalidToken } from '../credentials/access-token.ts';
import type { Caller, Via } from './caller.ts';

/**
 * Decides for whoever calls, if they still may: a body can be half a minute on its way, and a source map five. Whoever
 * was removed or signed out meanwhile, or has another role, changes nothing any more.
 * Rejects with `invalid_token` or `forbidden`, else as `Store.commit` does.
 */
export function commitAsCaller<Answer>(
  { store }: Pick<Services, 'store'>,
  caller: Caller,
  decide: TransactionBody<Answer>,
): Promise<Answer> {
  return store.commit((transaction) => {
    assertStands(transaction, caller);
    return decide(transaction);
  });
}

function assertStands(transaction: Transaction, { userId, role, via }: Caller): void {
  const user = transaction.get('users', userId);
  if (!user || !isThere(transaction, via)) throw invalidToken();
  if (user.role !== role)
    throw new ProblemError('forbidden', 'Your role in the team has changed meanwhile. Try again.');
}

/** Whether what the caller is known by is there still. */
function isThere(transaction: Transaction, via: Via): boolean {
  if (via.kind === 'operator') return true;
  const record =
    via.kind === 'token' ? transaction.get('personal_tokens', via.id) : transaction.get('sessions', via.id);
  return record !== undefined;
}
