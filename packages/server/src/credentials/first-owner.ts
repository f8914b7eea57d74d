import { randomInt } from 'node:crypto';
import type { Config } from '../config.ts';
import type { Model } from '../store/model/model.ts';
import type { UserRecord } from '../store/records/records.ts';
import type { Store } from '../store/store.ts';
import { pause } from '../jobs/workers.ts';
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
  await store.commit((transaction) => {
    const created_at = new Date(transaction.now).toISOString();
    transaction.put('teams', { id: transaction.nextId('teams'), name: 'Operator', created_at });
    transaction.put('users', {
      id: transaction.nextId('users'),
      team_id: operatorTeamId,
      email: config.adminEmail.toLowerCase(),
      name: null,
      role: 'owner',
      password: null,
      created_at,
    });
  });
}

/** A storage that fails is asked again after this time. */
const retryMs = 2_000;

/**
 * Gives the owner a password if there is none: on the first start, or on a later one if that was cut short. Hashing it takes
 * longer than the rest of a start, so only a sign-in with a password waits for this. If the storage fails, the
 * server, which answers already, goes on: the password is tried again until the server closes.
 */
export class OwnerSetup {
  /** The current attempt, or the last one. Rejects as the storage did. */
  attempt: Promise<FirstStart | null>;
  /** Resolves once an attempt has succeeded, or with null if the server was closed before. */
  readonly done: Promise<FirstStart | null>;
  readonly #closing = new AbortController();

  constructor(store: Store, config: Config, warn: (error: unknown, message: string) => void) {
    const owner = store.model.tables.users.get(operatorOwnerId);
    if (!owner || owner.password !== null) {
      this.attempt = Promise.resolve(null);
      this.done = this.attempt;
      return;
    }
    const password = config.adminPassword ?? makePassword();
    let hash: string | null = null;
    const give = async (): Promise<FirstStart | null> => {
      hash ??= await hashPassword(password, 'first owner');
      if (!(await givePassword(store, owner.id, hash))) return null;
      return { email: owner.email, password: config.adminPassword === null ? password : null };
    };
    this.attempt = give();
    this.done = this.#repeat(give, warn);
  }

  /** Makes no further attempt, and resolves once the current one has ended. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.done;
  }

  async #repeat(
    give: () => Promise<FirstStart | null>,
    warn: (error: unknown, message: string) => void,
  ): Promise<FirstStart | null> {
    const { signal } = this.#closing;
    for (;;) {
      try {
        return await this.attempt;
      } catch (error) {
        warn(error, `the first owner has no password yet; it is tried again in ${retryMs / 1_000} s`);
      }
      await pause(retryMs, signal);
      if (signal.aborted) return null;
      this.attempt = give();
    }
  }
}

/** Resolves with false if an owner was quicker to choose one. */
async function givePassword(store: Store, ownerId: number, hash: string): Promise<boolean> {
  return store.commit((transaction) => {
    const now = transaction.get('users', ownerId);
    if (now?.password !== null) return false;
    transaction.put('users', { ...now, password: hash });
    return true;
  });
}

/** Easy to read aloud and to type: four groups of four, without characters that look alike. */
function makePassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const group = (): string => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('');
  return [group(), group(), group(), group()].join('-');
}
