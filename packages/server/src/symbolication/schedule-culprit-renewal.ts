import type { Transaction } from '../store/log/transaction.ts';

interface CulpritRenewal {
  projectId: number;
  /** Groups with a smaller id are renewed. */
  groupsBefore: number;
  /** The releases whose reports may have another culprit now. Null: any release. */
  releases: string[] | null;
  delayMs: number;
}

/** Schedules a renewal of the culprits of a project. Replaces the one that is scheduled, except for its time. */
export function scheduleCulpritRenewal(
  transaction: Transaction,
  { projectId, groupsBefore, releases, delayMs }: CulpritRenewal,
): void {
  const known = transaction.get('stale_culprits', projectId);
  transaction.put('stale_culprits', {
    id: projectId,
    groups_before: groupsBefore,
    releases,
    // A later request must not delay a renewal that is already due.
    due_at: known?.due_at ?? transaction.now + delayMs,
    ...(known?.begun !== undefined && { begun: known.begun }),
  });
}
