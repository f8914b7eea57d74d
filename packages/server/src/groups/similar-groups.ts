import { limits, type ErrorGroup, type SimilarGroup, type SimilarGroups } from '@service/protocol';
import type { Caller } from '../accounts/caller.ts';
import { similarityOf, similaritySearches } from '../grouping/similarity.ts';
import type { Services } from '../services.ts';
import type { GroupState } from '../store/model/group-state.ts';
import { fingerprintStoredReport } from '../grouping/fingerprint-stored-report.ts';

/** The maximum number of groups that are compared for each search, the last seen first. */
const comparedGroups = 50;
/** The most likely reason first. */
const byLikelihood: readonly SimilarGroup['reason'][] = ['source_map', 'fault', 'location'];

/**
 * Returns the groups of the same project that may be the same bug as a group. Merged groups are not listed. Costs at
 * most four searches, whatever the number of groups.
 */
export async function listSimilarGroups(
  services: Services,
  { teamId }: Caller,
  group: GroupState,
): Promise<SimilarGroups> {
  const { store, now } = services;
  // A group shows the newest report of those that are merged into it, which may differ from its own.
  const own = store.model.groups.own(group.id) ?? group;
  const records = [group, own].map((each) => each.toRecord(now()));
  const found = new Map<number, SimilarGroup>();
  const sameLater = await sameAfterMap(services, group);
  if (sameLater) found.set(sameLater.error_group_id, { ...sameLater, reason: 'source_map' });
  for (const search of new Set(records.flatMap(similaritySearches))) {
    const query = { search, sort: 'last_seen', order: 'desc', page: 1, size: comparedGroups } as const;
    const { items } = await store.model.lists.page([group.projectId], query, { now: now(), owner: teamId });
    for (const other of items) {
      if (other.error_group_id === group.id || found.has(other.error_group_id)) continue;
      const reason = records.map((record) => similarityOf(record, other)).find((each) => each !== null);
      if (reason) found.set(other.error_group_id, { ...other, reason });
    }
  }
  const items = [...found.values()].toSorted((a, b) => byLikelihood.indexOf(a.reason) - byLikelihood.indexOf(b.reason));
  return { items: items.slice(0, limits.similarGroups) };
}

/** Returns the other group to which the latest report would belong with the current source maps, or null. */
async function sameAfterMap(services: Services, group: GroupState): Promise<ErrorGroup | null> {
  const { model } = services.store;
  const latest = await fingerprintStoredReport(services, group, group.reportPointers.all().at(-1));
  if (!latest || latest.usedMaps.length === 0) return null;
  const id = model.groupId(group.projectId, latest.fingerprint);
  const other = id === undefined ? undefined : model.groups.get(model.groups.merged.targetId(id));
  return other && other.id !== group.id ? other.toRecord(services.now()) : null;
}
