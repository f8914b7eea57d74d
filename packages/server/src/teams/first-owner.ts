import type { Config } from '../config.ts';
import type { Store } from '../store/store.ts';
import { pause } from '../time/pause.ts';
import { generatePassword } from '../credentials/generate-password.ts';
import { hashPassword } from '../credentials/password.ts';
import { operatorTeamId, operatorOwnerId } from './operator-team.ts';

/** The credentials that the program prints once for the operator. */
export interface FirstStart {
  email: string;
  /** Null if the operator has set the password. */
  password: string | null;
}

/** Creates the operator's team and its owner, without a password, if there are no users. */
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

/** A failed write is retried after this time. */
const passwordRetryMs = 2_000;

/**
 * Sets the owner's password if it is missing: on the first start, or on a later one if the first was interrupted.
 * Hashing takes longer than the rest of the start, so only sign-ins with a password wait for it. If the storage fails,
 * the server, which is already listening, keeps running and retries until it closes.
 */
export class OwnerSetup {
  /** The current or the last attempt. Rejects with the error of the storage. */
  attempt: Promise<FirstStart | null>;
  /** Resolves when an attempt has succeeded, or with null if the server was closed first. */
  readonly done: Promise<FirstStart | null>;
  readonly #closing = new AbortController();
  #isCanceled = false;

  constructor(store: Store, config: Config, warn: (error: unknown, message: string) => void) {
    const owner = store.model.tables.users.get(operatorOwnerId);
    if (!owner || owner.password !== null) {
      this.attempt = Promise.resolve(null);
      this.done = this.attempt;
      return;
    }
    const password = config.adminPassword ?? generatePassword();
    let hash: string | null = null;
    const setPassword = async (): Promise<FirstStart | null> => {
      hash ??= await hashPassword(password, 'first owner');
      if (this.#isCanceled || !(await storePassword(store, owner.id, hash))) return null;
      return { email: owner.email, password: config.adminPassword === null ? password : null };
    };
    this.attempt = setPassword();
    this.done = this.#retry(setPassword, warn);
  }

  /**
   * Leaves the password unset, so that the next start sets and prints one. Resolves with the credentials if they are
   * stored already.
   */
  async cancel(): Promise<FirstStart | null> {
    this.#isCanceled = true;
    this.#closing.abort();
    return this.attempt.catch(() => null);
  }

  /** Stops retrying, and resolves when the current attempt has ended. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.done;
  }

  async #retry(
    setPassword: () => Promise<FirstStart | null>,
    warn: (error: unknown, message: string) => void,
  ): Promise<FirstStart | null> {
    const { signal } = this.#closing;
    for (;;) {
      try {
        return await this.attempt;
      } catch (error) {
        warn(
          error,
          `the password of the first owner could not be stored; the next attempt is in ${passwordRetryMs / 1_000} s`,
        );
      }
      await pause(passwordRetryMs, signal);
      if (signal.aborted) return null;
      this.attempt = setPassword();
    }
  }
}

/** Resolves with false if the owner has set a password in the meantime. */
async function storePassword(store: Store, ownerId: number, hash: string): Promise<boolean> {
  return store.commit((transaction) => {
    const owner = transaction.get('users', ownerId);
    if (owner?.password !== null) return false;
    transaction.put('users', { ...owner, password: hash });
    return true;
  });
}
