import type { Transaction } from '../store/log/transaction.ts';

/** Costly sources are usually read one after the other, and each time all groups of the project are checked. */
const lateNamesDelayMs = 10_000;

/** Records that groups of a project may have a culprit without the name of its function, which is known now. */
export function recordLateNames(transaction: Transaction, projectId: number): void {
  if (!transaction.get('projects', projectId)) return;
  const known = transaction.get('stale_culprits', projectId);
  transaction.put('stale_culprits', {
    id: projectId,
    groups_before: transaction.lastId('groups'),
    releases: null,
    due_at: known?.due_at ?? transaction.now + lateNamesDelayMs,
    ...(known?.begun !== undefined && { begun: known.begun }),
  });
}
