import type { ReportFrame } from '../stack/report-frame.ts';
import { aliasId, unnamedPrefix } from '../store/records/alias-id.ts';
import type { Transaction, TransactionGroup } from '../store/log/transaction.ts';
import type { Symbolicated } from '../symbolication/symbolicate-cached.ts';
import type { SymbolicatedReport } from '../symbolication/symbolicate-report.ts';
import { groupOrAlias, type AliasedGroup } from './group-alias.ts';

/**
 * A report does not wait long for the names of its functions. If the names are late, the report is grouped without
 * them. The functions in this file keep the reports of a bug in one group, with and without names: the first report
 * opens the group, and an alias leads reports of the other kind there. Only reports with costly sources need an alias.
 */

/** Returns whether the names of a report may be late the next time. */
export function areNamesCostly({ error, causes }: SymbolicatedReport): boolean {
  return hasCostlyName(error) || causes.some(hasCostlyName);
}

function hasCostlyName({ frames }: Symbolicated): boolean {
  return frames.some(({ isNameCostly }) => isNameCostly);
}

/** Returns a report as if no name of a costly source was known. */
export function withoutCostlyNames(report: SymbolicatedReport): SymbolicatedReport {
  return { ...report, error: withoutNames(report.error), causes: report.causes.map(withoutNames) };
}

function withoutNames(stack: Symbolicated): Symbolicated {
  return { ...stack, frames: stack.frames.map(withoutCostlyName) };
}

function withoutCostlyName(frame: ReportFrame): ReportFrame {
  if (!frame.isNameCostly) return frame;
  const { named: _named, isNameCostly: _costly, ...rest } = frame;
  return { ...rest, function: frame.raw.function };
}

/**
 * Adds the fingerprint of a report as an alias of the group that a report of the same bug opened without names. Returns
 * that group, or undefined. Of several bugs that are one without names, the first keeps the group.
 */
export function addNamedAlias(
  transaction: Transaction,
  projectId: number,
  fingerprint: string,
  unnamed: string,
): AliasedGroup | undefined {
  const known = groupOrAlias(transaction, projectId, unnamed);
  if (!known || transaction.find('adoptions', aliasId(projectId, unnamed))) return undefined;
  if (transaction.get('adoptions', aliasId(projectId, unnamed))?.from?.startsWith(unnamedPrefix)) return undefined;
  transaction.put('adoptions', {
    id: aliasId(projectId, fingerprint),
    project_id: projectId,
    group_id: known.group.id,
    born: known.originalFingerprint,
    from: unnamed,
  });
  return known;
}

/** Adds an alias that leads reports whose names are late to a group that was opened with names. */
export function addUnnamedAlias(
  transaction: Transaction,
  { project_id, fingerprint }: { project_id: number; fingerprint: string },
  group: TransactionGroup,
  unnamed: string,
): void {
  if (unnamed === fingerprint || groupOrAlias(transaction, project_id, unnamed)) return;
  transaction.put('adoptions', {
    id: aliasId(project_id, unnamed),
    project_id,
    group_id: group.id,
    born: fingerprint,
    from: unnamedPrefix + fingerprint,
  });
}
