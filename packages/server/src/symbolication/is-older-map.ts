import type { SourceMapRecord } from '../store/records/source-map-records.ts';

/**
 * Returns whether a map is older than another one. The number of groups that existed at the upload decides first,
 * because group aliases depend on it.
 */
export function isOlderMap(map: SourceMapRecord, other: SourceMapRecord): boolean {
  const groups = (map.groups_before ?? 0) - (other.groups_before ?? 0);
  if (groups !== 0) return groups < 0;
  if (map.created_at !== other.created_at) return map.created_at < other.created_at;
  return map.id < other.id;
}
