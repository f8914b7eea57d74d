import { ProblemError } from '../problem.ts';
import type { Model } from '../store/model/model.ts';
import type { PersonalTokenRecord } from '../store/records/records.ts';
import { invalidToken } from '../credentials/access-token.ts';
import { hashSecret } from '../credentials/secret.ts';

/** What tells a personal access token from a token of a session, for us and for whoever looks for leaked ones. */
export const personalTokenPrefix = 'pat_';

/** The token that is good now. Throws `invalid_token` or `expired_token`. */
export function readPersonalToken({ tables }: Model, token: string, now: number): PersonalTokenRecord {
  const found = tables.personal_tokens.find(hashSecret(token));
  if (!found) throw invalidToken();
  if (found.expires_at !== null && Date.parse(found.expires_at) <= now)
    throw new ProblemError('expired_token', 'The personal access token has expired. Make another one.');
  return found;
}
