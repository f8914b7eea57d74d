import { limits, type ErrorGroup, type MergedGroup, type Page, type PageQuery } from '@service/protocol';
import type { Caller } from '../accounts/caller.ts';
import { commitAsCaller } from '../accounts/commit-as-caller.ts';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import type { Transaction, TransactionGroup } from '../store/log/transaction.ts';
import type { GroupState } from '../store/model/group-state.ts';
import { aliasId, unmergedPrefix } from '../store/records/alias-id.ts';
import type { MergeRecord } from '../store/records/grouping-records.ts';
import { groupNotFound } from './groups.ts';

/**
 * Merges groups into another one, which shows their reports from then on. A group that is already merged into it stays
 * merged. Rejects with `group_not_found`, with `conflict` if one of the groups is merged into a third group or there
 * are too many, and with `validation_failed` if a group belongs to another project or would be merged into itself.
 */
export async function mergeGroups(
  services: Services,
  caller: Caller,
  { id }: GroupState,
  groupIds: readonly number[],
): Promise<ErrorGroup> {
  await commitAsCaller(services, caller, (transaction) => {
    const target = requireTarget(transaction, id);
    const others = [...new Set(groupIds)].map((groupId) => requireOwnGroup(transaction, caller, groupId));
    const added = others.filter((group) => !isMergedInto(transaction, group, target));
    for (const group of added) assertMergeable(transaction, group, target);
    assertRoom(transaction, target, added);
    for (const group of added) mergeGroup(transaction, group, target);
  });
  return readRecord(services, id);
}

/**
 * Takes groups out of the group that they are merged into. Each then shows its own reports again, also those that have
 * arrived with its fingerprint since the merge. A group that is not merged does not change. Rejects with
 * `group_not_found`, and with `conflict` if one of them is merged into a third group.
 */
export async function unmergeGroups(
  services: Services,
  caller: Caller,
  { id }: GroupState,
  groupIds: readonly number[],
): Promise<ErrorGroup> {
  await commitAsCaller(services, caller, (transaction) => {
    const target = requireTarget(transaction, id);
    const merged = [...new Set(groupIds)]
      .map((groupId) => requireOwnGroup(transaction, caller, groupId))
      .filter((group) => transaction.get('merges', group.id));
    for (const group of merged) if (!isMergedInto(transaction, group, target)) throw mergedElsewhere();
    for (const group of merged) {
      transaction.remove('merges', group.id);
      recordUnmerge(transaction, group);
    }
  });
  return readRecord(services, id);
}

/** Returns a page of the groups that are merged into a group, newest merge first. Each counts only its own reports. */
export function listMergedGroups(
  { store, now }: Services,
  { id }: GroupState,
  { page, size }: PageQuery,
): Page<MergedGroup> {
  const { groups, tables } = store.model;
  const merges = Array.from(groups.merged.mergedIds(id), (mergedId) => tables.merges.get(mergedId))
    .filter((merge): merge is MergeRecord => merge !== undefined)
    .toSorted((a, b) => Date.parse(b.merged_at) - Date.parse(a.merged_at) || b.id - a.id);
  const items = merges.slice((page - 1) * size, page * size).flatMap(({ id: mergedId, merged_at }) => {
    const group = groups.own(mergedId);
    return group ? { ...group.toRecord(now()), merged_at } : [];
  });
  return { items, total: merges.length, page, size, pages: Math.ceil(merges.length / size) };
}

/** Merges a group into another one of its project. They must be different, and neither may be merged already. */
export function mergeGroup(transaction: Transaction, group: TransactionGroup, target: TransactionGroup): void {
  transaction.put('merges', {
    id: group.id,
    project_id: group.projectId,
    target_id: target.id,
    merged_at: new Date(transaction.now).toISOString(),
  });
}

/** Records that `mergeLateMapGroup` must not merge a group again. Users can. */
function recordUnmerge(transaction: Transaction, group: TransactionGroup): void {
  const born = transaction.fingerprintOf(group);
  const from = unmergedPrefix + born;
  const { id: group_id, projectId: project_id } = group;
  transaction.put('adoptions', { id: aliasId(project_id, from), project_id, group_id, born, from });
}

/** Returns whether this many more groups can be merged into a group, by the limits of the group and of its project. */
export function hasRoomForMerge(transaction: Transaction, target: TransactionGroup, more: number): boolean {
  const mergedInto = [...transaction.mergedInto(target)].length;
  const { merges } = transaction.model.tables;
  const ofProject = [...merges.withValue('project', String(target.projectId))].length;
  return mergedInto + more <= limits.mergedGroups && ofProject + more <= limits.mergedGroupsOfProject;
}

/** Returns the group of a request. Throws if it was merged or deleted after the request began. */
function requireTarget(transaction: Transaction, id: number): TransactionGroup {
  const group = transaction.group(id);
  if (!group) throw groupNotFound();
  if (transaction.get('merges', id)) throw mergedElsewhere();
  return group;
}

function requireOwnGroup(transaction: Transaction, { teamId }: Caller, id: number): TransactionGroup {
  const group = transaction.group(id);
  if (!group || transaction.get('projects', group.projectId)?.team_id !== teamId) throw groupNotFound();
  return group;
}

function isMergedInto(transaction: Transaction, group: TransactionGroup, target: TransactionGroup): boolean {
  return group.id !== target.id && transaction.targetOf(group).id === target.id;
}

function assertMergeable(transaction: Transaction, group: TransactionGroup, target: TransactionGroup): void {
  if (group.id === target.id)
    throw new ProblemError('validation_failed', 'A group cannot be merged into itself.', {
      errors: [{ path: 'group_ids', detail: 'expected other groups than the one in the path' }],
    });
  if (group.projectId !== target.projectId)
    throw new ProblemError('validation_failed', 'Only groups of one project can be merged.', {
      errors: [{ path: 'group_ids', detail: 'expected groups of the same project' }],
    });
  if (transaction.get('merges', group.id)) throw mergedElsewhere();
}

/** Throws `conflict` if there is no room for the added groups and for the groups that are merged into them. */
function assertRoom(transaction: Transaction, target: TransactionGroup, added: readonly TransactionGroup[]): void {
  const withMerged = added.reduce((sum, group) => sum + 1 + [...transaction.mergedInto(group)].length, 0);
  if (hasRoomForMerge(transaction, target, withMerged)) return;
  throw new ProblemError(
    'conflict',
    `At most ${limits.mergedGroups} groups can be merged into one, and ${limits.mergedGroupsOfProject} in a project.`,
  );
}

function mergedElsewhere(): ProblemError {
  return new ProblemError('conflict', 'The group is merged into another group. Unmerge it there first.');
}

function readRecord({ store, now }: Services, id: number): ErrorGroup {
  const group = store.model.groups.get(id);
  if (!group) throw groupNotFound();
  return group.toRecord(now());
}
