import type { ErrorGroup, GroupQuery, Page } from '@service/protocol';
import { pageOf } from '../page-of.ts';
import type { GroupState } from './group-state.ts';

/** Which groups, in what order, and which part of them. */
export interface GroupListQuery extends Pick<GroupQuery, 'environment' | 'release' | 'status' | 'search'> {
  sort: GroupQuery['sort'];
  order: GroupQuery['order'];
  page: number;
  size: number;
}

/** One page of the groups that match. */
export function listGroups(groups: Iterable<GroupState>, query: GroupListQuery, now: number): Page<ErrorGroup> {
  const words = (query.search ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const matching: GroupState[] = [];
  for (const group of groups) if (matches(group, query, words)) matching.push(group);
  const rank = ranks[query.sort];
  const direction = query.order === 'asc' ? 1 : -1;
  // Ties break by id in the direction of the order, so that pages never overlap.
  matching.sort((a, b) => direction * (rank(a) - rank(b) || a.id - b.id));
  return pageOf(matching, query, (group) => group.toRecord(now));
}

const ranks: Record<GroupListQuery['sort'], (group: GroupState) => number> = {
  last_seen: (group) => group.lastSeenAt,
  first_seen: (group) => group.firstSeenAt,
  count: (group) => group.count,
  users: (group) => group.users,
};

function matches(group: GroupState, query: GroupListQuery, words: readonly string[]): boolean {
  if (query.status !== undefined && group.status !== query.status) return false;
  if (query.environment !== undefined && !group.hasTag('environment', query.environment)) return false;
  if (query.release !== undefined && !group.hasTag('release', query.release)) return false;
  const text = words.length > 0 ? group.searchText() : '';
  return words.every((word) => text.includes(word));
}
