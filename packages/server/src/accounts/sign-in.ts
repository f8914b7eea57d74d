import type { LinkInput, LoginInput } from '@service/protocol';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import type { UserRecord } from '../store/records/account-records.ts';
import { hashPassword, needsRehash } from '../credentials/password.ts';
import { createOneTimeTokenRecord } from './one-time-token-record.ts';
import { hashSecret, createSecret } from '../credentials/secret.ts';
import type { UserResolver } from './sessions.ts';
import { addressKey } from '../limits/address-key.ts';
import { isExpired } from '../credentials/lifetimes.ts';
import { checkPassword, invalidCredentials } from './check-password.ts';

/** Resolves a user by e-mail and password. An unknown e-mail takes the same time and gets the same response. */
export async function userByPassword(
  services: Services,
  { email, password }: LoginInput,
  clientAddress: string,
): Promise<UserResolver> {
  const user = await checkPassword(services, email, password, clientAddress);
  const renewed = await renewHash(user, password, clientAddress);
  return (transaction) => {
    const known = transaction.get('users', user.id);
    // The password may have been changed while it was compared.
    if (known?.password !== user.password) throw invalidCredentials();
    if (known && renewed !== null) transaction.put('users', { ...known, password: renewed });
    return user.id;
  };
}

/** Resolves a user by a sign-in link. If requests race for one link, exactly one succeeds. */
export function userByLink({ token }: LinkInput): UserResolver {
  const id = hashSecret(token);
  return (transaction) => {
    const link = transaction.get('links', id);
    if (!link || isExpired(link.expires_at, transaction.now) || !transaction.get('users', link.user_id)) {
      throw new ProblemError('invalid_token', 'The link was used or has expired. Sign in with your password.');
    }
    transaction.remove('links', id);
    return link.user_id;
  };
}

/** Creates a link that signs a user in once, within 24 hours. */
export async function createSignInLink({ store }: Services, userId: number, baseUrl: string): Promise<string> {
  const token = createSecret();
  await store.commit((transaction) => transaction.put('links', createOneTimeTokenRecord(transaction, token, userId)));
  return `${baseUrl}/#sign-in=${token}`;
}

/** Resolves with a stronger hash if the stored one has outdated parameters, else null. */
async function renewHash(
  { password: stored }: UserRecord,
  password: string,
  clientAddress: string,
): Promise<string | null> {
  if (stored === null || !needsRehash(stored)) return null;
  try {
    return await hashPassword(password, addressKey(clientAddress));
  } catch {
    // The queue is full. The next sign-in tries again.
    return null;
  }
}
