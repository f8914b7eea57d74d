import { groupingVersion, type GroupingVersion } from '../fingerprint/grouping-version.ts';
import { aliasId } from '../store/records/alias-id.ts';
import type { Transaction, TransactionGroup } from '../store/log/transaction.ts';

/**
 * The fingerprint that a report would have had without one of its source maps and the newer ones, by earlier rules, or
 * both.
 */
export interface EarlierFingerprint {
  /** The id of the last group that was opened before the map was uploaded. Infinity if no map is left out. */
  groupsBefore: number;
  /**
   * The version of the rules. Only groups that this version or an earlier one has opened count. Default: the current
   * one.
   */
  version?: GroupingVersion;
  /** Computes the fingerprint. Lazy because it is rarely needed. */
  fingerprint: () => string;
}

export interface AliasedGroup {
  group: TransactionGroup;
  /** The fingerprint with which the group was opened. The record stores it as `born`. */
  originalFingerprint: string;
}

/** Returns the group that has this fingerprint as an alias. */
export function findAliasedGroup(
  transaction: Transaction,
  projectId: number,
  fingerprint: string,
): AliasedGroup | undefined {
  const alias = transaction.get('adoptions', aliasId(projectId, fingerprint));
  const group = alias && transaction.group(alias.group_id);
  return group && { group, originalFingerprint: alias.born };
}

/**
 * Adds the fingerprint of a report as an alias of the group that the same bug had before a source map was uploaded.
 * Returns that group, or undefined if no such group exists.
 *
 * A source map that is uploaded late changes the fingerprint of later reports. The alias keeps one bug in one group.
 * Only the first new fingerprint becomes an alias: if the map splits one group into several bugs, the others open new
 * groups. If several maps are uploaded one after the other, each may add an alias for the fingerprint that the earlier
 * maps gave.
 *
 * A group that is newer than the map gets no alias. Such a group contains reports that the map cannot resolve. With an
 * alias, the fingerprint of a group would depend on which report came first.
 *
 * `earlier` begins with the fingerprint by earlier rules with all maps. Then come those without the newest map, without
 * the two newest, and so on until no map is left, each by the current rules and by earlier ones. A group of earlier
 * rules gets an alias in the same way.
 */
export function addGroupAlias(
  transaction: Transaction,
  projectId: number,
  fingerprint: string,
  earlier: readonly EarlierFingerprint[],
): AliasedGroup | undefined {
  for (const { groupsBefore, version, fingerprint: compute } of earlier) {
    if (groupsBefore === 0) return undefined;
    const from = compute();
    const known = groupOrAlias(transaction, projectId, from);
    if (!known || known.group.id > groupsBefore || !isOpenedBy(transaction, known.group, version)) continue;
    if (transaction.find('adoptions', aliasId(projectId, from))) return undefined;
    transaction.put('adoptions', {
      id: aliasId(projectId, fingerprint),
      project_id: projectId,
      group_id: known.group.id,
      born: known.originalFingerprint,
      from,
    });
    return known;
  }
  return undefined;
}

function isOpenedBy(transaction: Transaction, { id }: TransactionGroup, version: GroupingVersion | undefined): boolean {
  return version === undefined || (transaction.groupingVersionOf(id) ?? groupingVersion) <= version;
}

/** Returns the group that has a fingerprint, as its own or as an alias. */
export function groupOrAlias(
  transaction: Transaction,
  projectId: number,
  fingerprint: string,
): AliasedGroup | undefined {
  const group = transaction.groupOf(projectId, fingerprint);
  return group ? { group, originalFingerprint: fingerprint } : findAliasedGroup(transaction, projectId, fingerprint);
}
