import { aliasId } from '../store/records/alias-id.ts';
import type { Transaction, TransactionGroup } from '../store/log/transaction.ts';

/** A report as it would have been before one of the maps came that have told something of it. */
export interface EarlierFingerprint {
  /** Id of the last group that was opened before that map came. */
  groupsBefore: number;
  /** Worked out only if it is asked for. */
  fingerprint: () => string;
}

interface AliasedGroup {
  group: TransactionGroup;
  /** The fingerprint that it was born with. */
  originalFingerprint: string;
}

/** The group that answers to a fingerprint which it was not born with. */
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
 * A map that comes late gives the reports of a bug another fingerprint. The first report with it adopts the group that the
 * bug has already, so that it is not split in two; whatever else the map tells apart gets a group of its own. Where several
 * maps came one after the other, each may do so: it takes on from what the ones before it had made of the report.
 *
 * Groups that are younger than the map are not adopted: they are of reports that it could tell nothing of, and which
 * fingerprint a group has would depend on which report came first.
 *
 * `earlier`: before the newest map came, before the one before that, and so on until there were none.
 */
export function addGroupAlias(
  transaction: Transaction,
  projectId: number,
  fingerprint: string,
  earlier: readonly EarlierFingerprint[],
): AliasedGroup | undefined {
  for (const { groupsBefore, fingerprint: ask } of earlier) {
    if (groupsBefore === 0) return undefined;
    const from = ask();
    const known = groupOrAlias(transaction, projectId, from);
    if (!known || known.group.id > groupsBefore) continue;
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

function groupOrAlias(transaction: Transaction, projectId: number, fingerprint: string): AliasedGroup | undefined {
  const group = transaction.groupOf(projectId, fingerprint);
  return group ? { group, originalFingerprint: fingerprint } : findAliasedGroup(transaction, projectId, fingerprint);
}
