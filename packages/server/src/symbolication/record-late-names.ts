import type { Transaction } from '../store/log/transaction.ts';
import { scheduleCulpritRenewal } from './schedule-culprit-renewal.ts';

/** Costly sources are usually read one after the other, and each time all groups of the project are checked. */
const lateNamesDelayMs = 10_000;

/** Records that groups of a project may have a culprit without the name of its function, which is known now. */
export function recordLateNames(transaction: Transaction, projectId: number): void {
  if (!transaction.get('projects', projectId)) return;
  const groupsBefore = transaction.lastId('groups');
  scheduleCulpritRenewal(transaction, { projectId, groupsBefore, releases: null, delayMs: lateNamesDelayMs });
}
