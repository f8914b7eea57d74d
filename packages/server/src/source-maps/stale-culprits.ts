import type { Transaction } from '../store/log/transaction.ts';
import type { SourceMapRecord } from '../store/records/records.ts';
import { originOfMap } from '../symbolication/own-origins.ts';

/** Maps mostly come several at a time: what they have to say is looked at once they are all there. */
const waitMs = 1_000;
const maxReleases = 100;

/**
 * Notes that groups which were there before a map may be shown with a place that it can tell better. Expects that the map is
 * not in the transaction yet: what it adds is seen by comparison.
 */
export function recordStaleCulprits(transaction: Transaction, map: SourceMapRecord): void {
  const { project_id, release, debug_id, groups_before = 0 } = map;
  if (groups_before === 0 || transaction.model.groupCount(project_id) === 0) return;
  const known = transaction.get('stale_culprits', project_id);
  // By its debug id, or without a release, a map serves reports of whatever release; an own origin is one of all releases.
  const isOfAny = release === null || debug_id !== null || known?.releases === null || addsOrigin(transaction, map);
  const releases = isOfAny ? null : [...new Set([...(known?.releases ?? []), release])];
  transaction.put('stale_culprits', {
    id: project_id,
    groups_before,
    releases: releases !== null && releases.length <= maxReleases ? releases : null,
    // Each map of many would put off what waits already.
    due_at: known?.due_at ?? transaction.now + waitMs,
    ...(known?.begun !== undefined && { begun: known.begun }),
  });
}

/** Whether the map makes scripts the app's that were code of others before. */
function addsOrigin(transaction: Transaction, map: SourceMapRecord): boolean {
  const origin = originOfMap(map);
  return origin !== null && transaction.mapsOf(map.project_id).every((other) => originOfMap(other) !== origin);
}
