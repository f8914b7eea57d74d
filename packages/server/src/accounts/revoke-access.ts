import type { Transaction } from '../store/log/transaction.ts';
import type { TableName } from '../store/records/records.ts';

/** Tables whose rows let a user in, with what a new password ends first. */
const signIns = ['sessions', 'links', 'invitations'] as const satisfies TableName[];
const allAccess = [...signIns, 'personal_tokens'] as const satisfies TableName[];

/**
 * Ends the sessions of a user, and whatever else would make one without the password; not personal access tokens.
 * `except` is the id of a session that stays.
 */
export function endSessions(transaction: Transaction, userId: number, except?: string): void {
  removeRows(transaction, signIns, userId, except);
}

/** Removes a user with all that lets them in. */
export function removeUser(transaction: Transaction, userId: number): void {
  removeRows(transaction, allAccess, userId);
  transaction.remove('users', userId);
}

function removeRows(
  transaction: Transaction,
  tables: readonly (typeof allAccess)[number][],
  userId: number,
  except?: string,
): void {
  for (const table of tables) {
    for (const { id, user_id } of transaction.rows(table))
      if (user_id === userId && id !== except) transaction.remove(table, id);
  }
}
