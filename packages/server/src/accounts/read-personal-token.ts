import { ProblemError } from '../problem.ts';
import type { Model } from '../store/model/model.ts';
import type { PersonalTokenRecord } from '../store/records/account-records.ts';
import { invalidToken } from '../credentials/access-token.ts';
import { hashSecret } from '../credentials/secret.ts';
import { isExpired } from '../credentials/lifetimes.ts';

/** Distinguishes personal access tokens from session tokens, for this server and for secret scanners. */
export const personalTokenPrefix = 'pat_';

/** Returns the record of a valid token. Throws `invalid_token` or `expired_token`. */
export function readPersonalToken({ tables }: Model, token: string, now: number): PersonalTokenRecord {
  const found = tables.personal_tokens.find(hashSecret(token));
  if (!found) throw invalidToken();
  if (found.expires_at !== null && isExpired(found.expires_at, now))
    throw new ProblemError('expired_token', 'The personal access token has expired. Create a new one.');
  return found;
}
