import { limits, type Grouping } from '@service/protocol';
import type { Transaction } from '../store/log/transaction.ts';

/** The fingerprint of a project's overflow group. */
export const overflowFingerprint = '0'.repeat(32);

/** Whether the project has the maximum number of groups. Reports that would open another one then count in its overflow group. */
export function isOverflowing(transaction: Transaction, projectId: number): boolean {
  return transaction.model.groupCount(projectId) >= limits.groupsPerProject;
}

export function overflowGrouping(version: number): Grouping {
  return { version, rule: 'overflow', components: ['Too many different errors in this project'] };
}
