import type { Transaction } from '../store/log/transaction.ts';
import type { SourceMapRecord } from '../store/records/source-map-records.ts';
import { originOfMap } from '../symbolication/own-origins.ts';
import { scheduleCulpritRenewal } from '../symbolication/schedule-culprit-renewal.ts';

/** Most maps are uploaded several at a time. After this delay, one renewal serves all that were stored by then. */
const renewalDelayMs = 1_000;
const maxListedReleases = 100;

/**
 * Records that groups from before a map may have a culprit that the map improves. Expects that the map is not in the
 * transaction yet, because it compares with the other maps.
 */
export function recordStaleCulprits(transaction: Transaction, map: SourceMapRecord): void {
  const { project_id, release, debug_id, groups_before = 0 } = map;
  if (groups_before === 0 || transaction.model.groupCount(project_id) === 0) return;
  const known = transaction.get('stale_culprits', project_id);
  // A map with a debug id, or without a release, matches reports of any release. So does a new own origin.
  const isOfAny = release === null || debug_id !== null || known?.releases === null || addsOrigin(transaction, map);
  const releases = isOfAny ? null : [...new Set([...(known?.releases ?? []), release])];
  scheduleCulpritRenewal(transaction, {
    projectId: project_id,
    groupsBefore: groups_before,
    releases: releases !== null && releases.length <= maxListedReleases ? releases : null,
    delayMs: renewalDelayMs,
  });
}

/** Returns whether the map makes scripts the app's that were third-party before. */
function addsOrigin(transaction: Transaction, map: SourceMapRecord): boolean {
  const origin = originOfMap(map);
  return origin !== null && transaction.mapsOf(map.project_id).every((other) => originOfMap(other) !== origin);
}
