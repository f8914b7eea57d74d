import type { Transaction } from '../store/log/transaction.ts';
import type { TableName } from '../store/records/tables.ts';

/** Tables whose rows sign a user in without a password. A new password revokes them. */
const signInTables = ['sessions', 'links', 'invitations'] as const satisfies TableName[];
const accessTables = [...signInTables, 'personal_tokens'] as const satisfies TableName[];

/**
 * Ends the sessions of a user, and revokes sign-in links and invitations. Personal access tokens stay valid.
 * `except` is the id of a session that continues.
 */
export function endSessions(transaction: Transaction, userId: number, except?: string): void {
  removeRows(transaction, signInTables, new Set([userId]), except);
}

/** Removes a user with their sessions, links and tokens. */
export function removeUser(transaction: Transaction, userId: number): void {
  removeUsers(transaction, new Set([userId]));
}

/** Removes users in one pass over each table. */
export function removeUsers(transaction: Transaction, userIds: ReadonlySet<number>): void {
  removeRows(transaction, accessTables, userIds);
  for (const id of userIds) transaction.remove('users', id);
}

function removeRows(
  transaction: Transaction,
  tables: readonly (typeof accessTables)[number][],
  userIds: ReadonlySet<number>,
  except?: string,
): void {
  for (const table of tables) {
    for (const { id, user_id } of transaction.rows(table))
      if (userIds.has(user_id) && id !== except) transaction.remove(table, id);
  }
}
