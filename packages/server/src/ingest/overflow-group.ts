import { limits, type Grouping } from '@service/protocol';
import type { Transaction } from '../store/log/transaction.ts';

/** The fingerprint of a project's overflow group. */
export const overflowFingerprint = '0'.repeat(32);

/**
 * Returns whether the project has the maximum number of groups. A report that would open another one then counts in the
 * overflow group.
 */
export function isOverflowing(transaction: Transaction, projectId: number): boolean {
  return transaction.model.groupCount(projectId) >= limits.groupsPerProject;
}

export function overflowGrouping(version: number): Grouping {
  return { version, rule: 'overflow', components: ['Too many different errors in this project'] };
}
