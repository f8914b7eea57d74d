import type { LinkInput, LoginInput } from '@service/protocol';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import type { UserRecord } from '../store/records/records.ts';
import { hashPassword, isPassword, isWeak } from '../credentials/password.ts';
import { oneTimeRecord } from './one-time.ts';
import { hashSecret, makeSecret } from '../credentials/secret.ts';
import type { Whose } from './sessions.ts';
import { subscriberOf } from '../credentials/subscriber.ts';

/** Whose e-mail and password these are. An unknown e-mail takes as long and is answered alike. */
export async function byPassword(services: Services, { email, password }: LoginInput, address: string): Promise<Whose> {
  const user = await checkPassword(services, email, password, address);
  const renewed = await renewHash(user, password, address);
  return (transaction) => {
    const known = transaction.get('users', user.id);
    // It may have been changed while it was compared.
    if (known?.password !== user.password) throw invalidCredentials();
    if (known && renewed !== null) transaction.put('users', { ...known, password: renewed });
    return user.id;
  };
}

/** Whose one-time link this is: of any number that use it at once, one does. */
export function byLink({ token }: LinkInput): Whose {
  const id = hashSecret(token);
  return (transaction) => {
    const link = transaction.get('links', id);
    if (!link || Date.parse(link.expires_at) <= transaction.now || !transaction.get('users', link.user_id)) {
      throw new ProblemError('invalid_token', 'The link has been used or has expired. Sign in with the password.');
    }
    transaction.remove('links', id);
    return link.user_id;
  };
}

/** The user whose e-mail and password these are. Throws `too_many_requests` or `invalid_credentials`. */
export async function checkPassword(
  { ownerSetup, signInLimits, store }: Services,
  email: string,
  password: string,
  address: string,
): Promise<UserRecord> {
  const given = email.trim().toLowerCase();
  const guess = signInLimits.guess(given, address);
  // Who has to wait for long anyway takes no place in the row.
  guess.begin();
  await ownerSetup.attempt;
  const user = store.model.tables.users.find(given);
  if (!(await isPassword(password, user?.password ?? null, guess)) || !user) throw invalidCredentials();
  return user;
}

export function invalidCredentials(): ProblemError {
  return new ProblemError('invalid_credentials', 'E-mail and password do not belong together.');
}

/** Makes a link that signs a user in, once, within 24 hours. */
export async function makeSignInLink({ store }: Services, userId: number, baseUrl: string): Promise<string> {
  const token = makeSecret();
  await store.commit((transaction) => transaction.put('links', oneTimeRecord(transaction, token, userId)));
  return `${baseUrl}/#sign-in=${token}`;
}

/** The password as it is hashed today, if it was hashed when that was cheaper. */
async function renewHash({ password: stored }: UserRecord, password: string, address: string): Promise<string | null> {
  if (stored === null || !isWeak(stored)) return null;
  try {
    return await hashPassword(password, subscriberOf(address));
  } catch {
    // Where too many wait it can wait, too: it is tried again at the next sign-in.
    return null;
  }
}
