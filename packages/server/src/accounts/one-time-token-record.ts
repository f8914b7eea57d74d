import { oneTimeTokenMs } from '../credentials/lifetimes.ts';
import type { Transaction } from '../store/log/transaction.ts';
import type { InvitationRecord, LinkRecord } from '../store/records/account-records.ts';
import { hashSecret } from '../credentials/secret.ts';

/** Returns the record of a token that signs a user in once, while it is valid: a sign-in link or an invitation. */
export function createOneTimeTokenRecord(
  transaction: Transaction,
  token: string,
  user_id: number,
): LinkRecord & InvitationRecord {
  return { id: hashSecret(token), user_id, expires_at: new Date(transaction.now + oneTimeTokenMs).toISOString() };
}
