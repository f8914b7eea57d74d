import { groupOrAlias } from '../grouping/group-alias.ts';
import type { Services } from '../services.ts';
import type { Transaction, TransactionGroup } from '../store/log/transaction.ts';
import type { GroupState } from '../store/model/group-state.ts';
import { aliasId, unmergedPrefix } from '../store/records/alias-id.ts';
import { fingerprintStoredReport, type StoredReportFingerprint } from '../grouping/fingerprint-stored-report.ts';
import { hasRoomForMerge, mergeGroup } from './merge-groups.ts';

/** About this many reports of a group must agree, at most twice as many, spread over those that are stored. */
const maxComparedReports = 16;

/** A group whose reports came before their source map, and the fingerprint that the compared reports have with it. */
export interface LateMapGroup {
  id: number;
  fingerprint: string;
}

/**
 * Compares reports of a group with a source map that was uploaded after the group was opened. Resolves with the
 * fingerprint that they have now. `latest` is that of the latest report. Resolves with null if there is no such map, if
 * the fingerprint is still that of the group, or if the reports disagree: then the source map separates bugs that were
 * one group without it.
 */
export async function findLateMapGroup(
  services: Services,
  group: GroupState,
  latest: StoredReportFingerprint,
): Promise<LateMapGroup | null> {
  const { id, fingerprint } = group;
  const isLate = latest.usedMaps.some(({ groups_before = 0 }) => groups_before >= id);
  if (!isLate || latest.fingerprint === fingerprint) return null;
  const pointers = group.reportPointers.all();
  const step = Math.max(1, Math.floor(pointers.length / maxComparedReports));
  for (let at = 0; at < pointers.length; at += step) {
    const other = await fingerprintStoredReport(services, group, pointers[at]);
    if (other?.fingerprint !== latest.fingerprint) return null;
  }
  return { id, fingerprint: latest.fingerprint };
}

/**
 * Merges a late group into the group that reports of its bug have opened with the source map. Does nothing if there is
 * no such group, if that group is full, if the late group is merged already, or if a user has unmerged the late group.
 */
export function mergeLateMapGroup(transaction: Transaction, { id, fingerprint }: LateMapGroup): void {
  const late = transaction.group(id);
  if (!late || transaction.get('merges', id) || wasUnmerged(transaction, late)) return;
  const found = groupOrAlias(transaction, late.projectId, fingerprint)?.group;
  const target = found && transaction.targetOf(found);
  if (!target || target.id === id) return;
  const more = 1 + [...transaction.mergedInto(late)].length;
  if (hasRoomForMerge(transaction, target, more)) mergeGroup(transaction, late, target);
}

function wasUnmerged(transaction: Transaction, group: TransactionGroup): boolean {
  const fingerprint = unmergedPrefix + transaction.fingerprintOf(group);
  return transaction.get('adoptions', aliasId(group.projectId, fingerprint)) !== undefined;
}
