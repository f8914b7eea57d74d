import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import type { Draft } from '../store/log/transaction.ts';
import type { Decision } from '../store/log/ledger.ts';
import { invalidToken } from '../credentials/access-token.ts';
import type { Caller, Via } from './caller.ts';

/**
 * Decides for whoever calls, if they still may: a body can be half a minute on its way, and a source map five. Whoever
 * was removed or signed out meanwhile, or has another role, changes nothing any more.
 * Rejects with `invalid_token` or `forbidden`, else as `Store.commit` does.
 */
export function commitAs<Answer>(
  { store }: Pick<Services, 'store'>,
  caller: Caller,
  decide: Decision<Answer>,
): Promise<Answer> {
  return store.commit((draft) => {
    assertStands(draft, caller);
    return decide(draft);
  });
}

function assertStands(draft: Draft, { userId, role, via }: Caller): void {
  const user = draft.get('users', userId);
  if (!user || !isThere(draft, via)) throw invalidToken();
  if (user.role !== role)
    throw new ProblemError('forbidden', 'Your role in the team has changed meanwhile. Try again.');
}

/** Whether what the caller is known by is there still. */
function isThere(draft: Draft, via: Via): boolean {
  if (via.kind === 'operator') return true;
  const record = via.kind === 'token' ? draft.get('personal_tokens', via.id) : draft.get('sessions', via.id);
  return record !== undefined;
}
