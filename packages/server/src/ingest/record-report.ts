import type { Accepted, Grouping } from '@service/protocol';
import { ProblemError } from '../problem.ts';
import type { PythonLocation } from '../fingerprint/python-strategy.ts';
import { addGroupAlias, findAliasedGroup, type EarlierFingerprint } from '../grouping/group-alias.ts';
import { addUnnamedAlias, addNamedAlias } from '../grouping/late-names.ts';
import { findMovedPythonGroup, recordFiles, recordLocation } from '../grouping/moved-python-group.ts';
import type { Transaction, TransactionGroup } from '../store/log/transaction.ts';
import { limitTags } from '../store/records/packed-tags.ts';
import { columnValues, type ReportValues } from '../store/records/columns-and-fields.ts';
import { isStored } from '../retention/retention-policy.ts';
import { enqueueNotifications } from '../notify/outbox.ts';
import type { ProjectRecord } from '../store/records/project-records.ts';
import { findDuplicate } from './idempotency.ts';
import { isOverflowing, overflowFingerprint, overflowGrouping } from './overflow-group.ts';
import { assertTeamEnabled } from '../teams/assert-team-enabled.ts';
import { dropIfOverQuota } from '../plans/quota.ts';
import type { StorageBudget } from '../store/storage-budget.ts';

/** A report that is ready to be recorded. */
export interface NewReport {
  project_id: number;
  /** The API key that the report was sent with. It may have been rotated since. */
  api_key: string;
  columns: ReportValues;
  fingerprint: string;
  grouping: Grouping;
  /** Set only for Python, whose files may be moved. */
  location?: PythonLocation | undefined;
  /** Set unless the client groups the report. Called only if no group has the fingerprint. */
  earlier?: (() => readonly EarlierFingerprint[]) | undefined;
  /**
   * Set only if names of functions may be late the next time. Returns the fingerprint without these names. Called only
   * if no group has the fingerprint.
   */
  unnamed?: (() => string) | undefined;
  /**
   * Returns the whole report. Called only if the group has room for this report: of many equal reports only a few are
   * stored.
   */
  body: () => string | Uint8Array;
}

export interface RecordingLimits {
  /** Reports of the team per month; null is unlimited. */
  errorQuota: number | null;
  retentionReports: number;
  /**
   * The bytes that a project may store, in all and per hour. A report over them is counted, but not stored. Once the
   * storage has no room, reports are rejected.
   */
  storageBudget: StorageBudget;
}

/**
 * Records a report: checks for a duplicate, checks the quota, checks that the storage has room, finds or opens the
 * group, and reopens it if it was resolved, in this order. Transactions run one at a time. So exactly one of several
 * concurrent reports opens the group, and the quota is never exceeded.
 */
export function recordReport(
  transaction: Transaction,
  report: NewReport,
  { errorQuota, retentionReports, storageBudget }: RecordingLimits,
): Accepted {
  const { columns } = report;
  const { project, repeated } = checkDuplicateAndQuota(transaction, report, errorQuota);
  if (repeated) return repeated;
  storageBudget.assertRoom();

  if (report.location)
    recordFiles(transaction, project.id, report.location, { release: columns.release, storageBudget });
  const { fingerprint, grouping, known } = resolveGroup(transaction, report);
  const group = known ?? transaction.openGroup(project.id, fingerprint);
  if (report.location && !known)
    recordLocation(transaction, project.id, report.location, { group_id: group.id, born: fingerprint });
  if (report.unnamed && fingerprint === report.fingerprint && !known)
    addUnnamedAlias(transaction, { project_id: project.id, fingerprint }, group, report.unnamed());
  const target = transaction.targetOf(group);
  const reopens = target.status === 'resolved';
  const body = isStored(group.count, group.lastStoredAt, transaction.now, retentionReports)
    ? storageBudget.take(project.id, report.body(), transaction.sizeChars)
    : null;
  const response: Accepted = {
    success: true,
    error_group_id: target.id,
    fingerprint: target === group ? fingerprint : transaction.fingerprintOf(target),
    is_new_group: !known,
  };

  group.status = 'active';
  target.status = 'active';
  group.count++;
  if (body) group.lastStoredAt = transaction.now;
  if (columns.event_id !== null) transaction.storeResponse(project.id, columns.event_id, response);
  transaction.countReport(
    project.team_id,
    {
      kind: 'report',
      id: transaction.nextId('reports'),
      project_id: project.id,
      group_id: group.id,
      at: transaction.now,
      reopens,
      values: columnValues(withTagBudget(transaction, report)),
      body_bytes: 0,
    },
    known ? null : { fingerprint, grouping },
    body,
  );
  if (!known || reopens) enqueueNotifications(transaction, project.id, known ? 'reopened' : 'new', target.id);
  return response;
}

/** Marks the tags of a report if its project has no room for new values of tags. */
function withTagBudget(transaction: Transaction, { project_id: projectId, columns }: NewReport): ReportValues {
  const { tags } = columns;
  return transaction.areTagsLimited(projectId, tags !== null) ? { ...columns, tags: limitTags(tags) } : columns;
}

interface ReportIdentity extends Pick<NewReport, 'project_id' | 'api_key'> {
  columns: Pick<ReportValues, 'event_id'>;
}

/**
 * Makes the checks that do not depend on the group of a report. Returns the first response as `repeated` if the report
 * is a duplicate. Throws `invalid_api_key` if the key has been rotated since, `team_disabled` or
 * `error_quota_exhausted`.
 */
export function checkDuplicateAndQuota(
  transaction: Transaction,
  { project_id: projectId, api_key: key, columns }: ReportIdentity,
  errorQuota: number | null,
): { project: ProjectRecord; repeated: Accepted | undefined } {
  const project = transaction.get('projects', projectId);
  if (project?.api_key !== key) throw invalidApiKey();

  assertTeamEnabled(transaction.get('teams', project.team_id));
  const repeated = findDuplicate(transaction, project.id, columns.event_id);
  if (!repeated) dropIfOverQuota(transaction, project.team_id, errorQuota);
  return { project, repeated };
}

/** Returns the error for a key that does not belong, or no longer belongs, to a project. */
export function invalidApiKey(): ProblemError {
  return new ProblemError(
    'invalid_api_key',
    'No project has this API key. Copy the current one from the settings of the project: it may have been rotated.',
  );
}

/**
 * Returns the group of a report, found by its fingerprint, by a group alias or because its file was moved, and the
 * fingerprint of that group. The group is undefined if the report opens a new one. At the limit of groups, a report
 * that would open a new one counts in the project's overflow group.
 */
function resolveGroup(
  transaction: Transaction,
  { project_id: projectId, fingerprint, grouping, location, earlier, unnamed }: NewReport,
): { fingerprint: string; grouping: Grouping; known: TransactionGroup | undefined } {
  const known = transaction.groupOf(projectId, fingerprint);
  if (known) return { fingerprint, grouping, known };
  const aliased =
    findAliasedGroup(transaction, projectId, fingerprint) ??
    (location && findMovedPythonGroup(transaction, projectId, location)) ??
    (unnamed && addNamedAlias(transaction, projectId, fingerprint, unnamed())) ??
    (earlier && addGroupAlias(transaction, projectId, fingerprint, earlier()));
  if (aliased) return { fingerprint: aliased.originalFingerprint, grouping, known: aliased.group };
  if (!isOverflowing(transaction, projectId)) return { fingerprint, grouping, known };
  return {
    fingerprint: overflowFingerprint,
    grouping: overflowGrouping(grouping.version),
    known: transaction.groupOf(projectId, overflowFingerprint),
  };
}
