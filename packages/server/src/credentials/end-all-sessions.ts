import type { Transaction } from '../store/log/transaction.ts';

/** Ends the sessions of all users, and revokes all sign-in links. Returns the number of sessions. */
export function endAllSessions(transaction: Transaction): number {
  let count = 0;
  for (const { id } of transaction.rows('sessions')) {
    transaction.remove('sessions', id);
    count++;
  }
  for (const { id } of transaction.rows('links')) transaction.remove('links', id);
  return count;
}
