import { randomInt } from 'node:crypto';
import type { Config } from '../config.ts';
import type { Model } from '../store/model.ts';
import type { UserRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { hashPassword } from './password.ts';

/** The operator's team and its owner, made on the first start: no server is ever unowned. */
export const operatorTeamId = 1;
export const operatorOwnerId = 1;

/** Whom the operator's token and links stand for: the first owner or, if that one is no owner any more, the oldest one. */
export function operatorOwner({ tables }: Model): UserRecord | undefined {
  const first = tables.users.get(operatorOwnerId);
  if (first?.role === 'owner') return first;
  for (const user of tables.users.values()) {
    if (user.team_id === operatorTeamId && user.role === 'owner' && user.password !== null) return user;
  }
  return undefined;
}

/** What the operator has to be told once. */
export interface FirstStart {
  email: string;
  /** Null if the operator chose it. */
  password: string | null;
}

/** Makes the owner if there is none yet, without a password. */
export async function ensureOwner(store: Store, config: Config): Promise<void> {
  if (store.model.tables.users.size > 0) return;
  await store.commit((draft) => {
    const created_at = new Date(draft.now).toISOString();
    draft.put('teams', { id: draft.nextId('teams'), name: 'Operator', created_at });
    draft.put('users', {
      id: draft.nextId('users'),
      team_id: operatorTeamId,
      email: config.adminEmail.toLowerCase(),
      name: null,
      role: 'owner',
      password: null,
      created_at,
    });
  });
}

/**
 * Gives the owner a password if there is none: on the first start, or on the next one if that was cut short.
 * Its hash takes longer than all the rest of a start, so only who signs in with a password waits for this.
 */
export async function ensurePassword(store: Store, config: Config): Promise<FirstStart | null> {
  const owner = store.model.tables.users.get(operatorOwnerId);
  if (!owner || owner.password !== null) return null;
  const password = config.adminPassword ?? makePassword();
  const hash = await hashPassword(password, 'first owner');
  const isFirst = await store.commit((draft) => {
    const now = draft.get('users', owner.id);
    // An owner may have been quicker to choose one.
    if (now?.password !== null) return false;
    draft.put('users', { ...now, password: hash });
    return true;
  });
  if (!isFirst) return null;
  return { email: owner.email, password: config.adminPassword === null ? password : null };
}

/** Easy to read aloud and to type: four groups of four, without characters that look alike. */
function makePassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const group = (): string => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('');
  return [group(), group(), group(), group()].join('-');
}
