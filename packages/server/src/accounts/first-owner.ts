import { randomInt } from 'node:crypto';
import type { Config } from '../config.ts';
import type { Store } from '../store/store.ts';
import { hashPassword } from './password.ts';

/** The operator's team and its owner, made on the first start: no server is ever unowned. */
export const operatorTeamId = 1;
export const operatorOwnerId = 1;

/** What the operator has to be told once. */
export interface FirstStart {
  email: string;
  /** Null if the operator chose it. */
  password: string | null;
}

/** Makes the owner if there is none yet. */
export async function ensureOwner(store: Store, config: Config, now: () => number): Promise<FirstStart | null> {
  if (store.model.tables.users.size > 0) return null;
  const email = config.adminEmail.toLowerCase();
  const password = config.adminPassword ?? makePassword();
  const hash = await hashPassword(password);
  const created_at = new Date(now()).toISOString();
  await store.commit((draft) => {
    draft.put('teams', { id: draft.nextId('teams'), name: 'Operator', created_at });
    draft.put('users', {
      id: draft.nextId('users'),
      team_id: operatorTeamId,
      email,
      name: null,
      role: 'owner',
      password: hash,
      created_at,
    });
  });
  return { email, password: config.adminPassword === null ? password : null };
}

/** Easy to read aloud and to type: four groups of four, without characters that look alike. */
function makePassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const group = (): string => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('');
  return [group(), group(), group(), group()].join('-');
}
