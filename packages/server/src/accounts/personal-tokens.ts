import {
  limits,
  type NewPersonalToken,
  type Page,
  type PageQuery,
  type PersonalToken,
  type PersonalTokenInput,
} from '@service/protocol';
import { paginate } from '../validation/paginate.ts';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import type { PersonalTokenRecord } from '../store/records/account-records.ts';
import { validationFailed } from '../validation/validation.ts';
import type { Caller } from './caller.ts';
import { commitAsCaller } from './commit-as-caller.ts';
import { personalTokenPrefix } from './read-personal-token.ts';
import { hashSecret, createSecret } from '../credentials/secret.ts';
import { isExpired } from '../credentials/lifetimes.ts';

/** Creates a Bearer token with the caller's permissions at the time of use. */
export async function createPersonalToken(
  services: Services,
  caller: Caller,
  { name, expires_at }: PersonalTokenInput,
): Promise<NewPersonalToken> {
  const token = createSecret(personalTokenPrefix);
  const { userId } = caller;
  const created = await commitAsCaller(services, caller, (transaction) => {
    if (expires_at && isExpired(expires_at, transaction.now))
      throw validationFailed([{ path: 'expires_at', detail: 'expected a time in the future' }]);
    const others = [...transaction.rows('personal_tokens')].filter((other) => other.user_id === userId);
    if (others.length >= limits.personalTokensPerUser)
      throw new ProblemError(
        'conflict',
        `You have ${limits.personalTokensPerUser} tokens, which is the maximum. Delete one that you no longer need.`,
      );
    const record: PersonalTokenRecord = {
      id: transaction.nextId('personal_tokens'),
      user_id: userId,
      name,
      token_hash: hashSecret(token),
      created_at: new Date(transaction.now).toISOString(),
      expires_at: expires_at ? new Date(expires_at).toISOString() : null,
    };
    transaction.put('personal_tokens', record);
    return record;
  });
  const { id, created_at } = created;
  return { id, name, token, created_at, expires_at: created.expires_at };
}

/** Returns the caller's tokens, oldest first, including expired ones. */
export function listPersonalTokens({ store }: Services, caller: Caller, query: PageQuery): Page<PersonalToken> {
  const own = Array.from(store.model.tables.personal_tokens.values()).filter(
    (token) => token.user_id === caller.userId,
  );
  return paginate(own, query, ({ id, name, created_at, expires_at }) => ({ id, name, created_at, expires_at }));
}

/** Returns one of the caller's tokens. Throws `token_not_found`, also for tokens of other users. */
export function findOwnToken({ store }: Services, { userId }: Caller, id: number): PersonalTokenRecord {
  const token = store.model.tables.personal_tokens.get(id);
  if (token?.user_id !== userId) throw tokenNotFound();
  return token;
}

export async function deletePersonalToken(
  services: Services,
  caller: Caller,
  { id }: PersonalTokenRecord,
): Promise<void> {
  await commitAsCaller(services, caller, (transaction) => {
    if (!transaction.get('personal_tokens', id)) throw tokenNotFound();
    transaction.remove('personal_tokens', id);
  });
}

function tokenNotFound(): ProblemError {
  return new ProblemError('token_not_found', 'You have no personal access token with this id.');
}
