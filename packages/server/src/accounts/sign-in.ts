import { randomUUID } from 'node:crypto';
import type { LinkInput, LoginInput, Tokens } from '@service/protocol';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import type { Draft } from '../store/draft.ts';
import { accessTokenSeconds } from './access-token.ts';
import { isPassword } from './password.ts';
import { hashSecret, makeSecret } from './secret.ts';

const sessionMs = 30 * 24 * 3_600_000;
const linkMs = 24 * 3_600_000;

/** Signs in with a password. An unknown e-mail takes as long and is answered alike. */
export async function signIn(services: Services, { email, password }: LoginInput): Promise<Tokens> {
  await services.firstStart;
  const user = services.store.model.tables.users.find(email.trim().toLowerCase());
  if (!(await isPassword(password, user?.password ?? null)) || !user) {
    throw new ProblemError('invalid_credentials', 'E-mail and password do not belong together.');
  }
  return openSession(services, () => user.id);
}

/** Signs in with a one-time link: of any number that use it at once, one does. */
export async function signInByLink(services: Services, { token }: LinkInput): Promise<Tokens> {
  const id = hashSecret(token);
  return openSession(services, (draft) => {
    const link = draft.get('links', id);
    if (!link || Date.parse(link.expires_at) <= draft.now) {
      throw new ProblemError('invalid_token', 'The link has been used or has expired. Sign in with the password.');
    }
    draft.remove('links', id);
    return link.user_id;
  });
}

/** Makes a link that signs a user in, once, within 24 hours. */
export async function makeSignInLink({ store }: Services, userId: number, baseUrl: string): Promise<string> {
  const token = makeSecret();
  await store.commit((draft) => {
    draft.put('links', {
      id: hashSecret(token),
      user_id: userId,
      expires_at: new Date(draft.now + linkMs).toISOString(),
    });
  });
  return `${baseUrl}/#sign-in=${token}`;
}

/** Opens a session of whomever `whose` names, in the decision in which it does so. */
export async function openSession({ store, accessTokens }: Services, whose: (draft: Draft) => number): Promise<Tokens> {
  const id = randomUUID();
  const refresh_token = makeSecret();
  const access_token = await accessTokens.issue(id);
  await store.commit((draft) => {
    const user_id = whose(draft);
    removeExpired(draft, 'sessions');
    removeExpired(draft, 'links');
    draft.put('sessions', {
      id,
      user_id,
      refresh_hash: hashSecret(refresh_token),
      created_at: new Date(draft.now).toISOString(),
      expires_at: new Date(draft.now + sessionMs).toISOString(),
    });
  });
  return { access_token, token_type: 'Bearer', expires_in: accessTokenSeconds, refresh_token };
}

/** Rows of one table all live equally long, so the oldest come first. */
function removeExpired(draft: Draft, table: 'sessions' | 'links'): void {
  for (const { id, expires_at } of draft.model.tables[table].values()) {
    if (Date.parse(expires_at) > draft.now) return;
    draft.remove(table, id);
  }
}
