import type { Transaction } from '../store/log/transaction.ts';
import type { TableName } from '../store/records/tables.ts';
import { removeUsers } from '../credentials/revoke-access.ts';

/** Tables whose rows belong to a team directly. */
const teamTables = ['recipients', 'mails', 'payments'] as const satisfies TableName[];

/** Removes a team with everything that belongs to it: projects, accounts, payments. Compaction then erases it. */
export function removeTeamRows(transaction: Transaction, teamId: number): void {
  for (const project of transaction.rows('projects'))
    if (project.team_id === teamId) transaction.removeProject(project.id);
  const userIds = new Set<number>();
  for (const user of transaction.rows('users')) if (user.team_id === teamId) userIds.add(user.id);
  removeUsers(transaction, userIds);
  const paymentIds = new Set<number>();
  for (const { id, team_id } of transaction.rows('payments')) if (team_id === teamId) paymentIds.add(id);
  for (const { id, payment_id } of transaction.rows('payment_events'))
    if (paymentIds.has(payment_id)) transaction.remove('payment_events', id);
  for (const table of teamTables)
    for (const { id, team_id } of transaction.rows(table)) if (team_id === teamId) transaction.remove(table, id);
  transaction.remove('teams', teamId);
}
