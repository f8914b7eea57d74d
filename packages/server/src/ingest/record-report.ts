import type { Accepted, Grouping } from '@service/protocol';
import { ProblemError } from '../problem.ts';
import { addGroupAlias, aliasedGroup, type EarlierFingerprint } from '../grouping/group-alias.ts';
import type { Transaction, TransactionGroup } from '../store/log/transaction.ts';
import type { ReportEntry } from '../store/records/entry.ts';
import { isStored } from '../store/model/stored-reports.ts';
import { enqueueNotifications } from '../notify/outbox.ts';
import type { ProjectRecord } from '../store/records/records.ts';
import { findDuplicate } from './idempotency.ts';
import { isOverflowing, overflowFingerprint, overflowGrouping } from './overflow.ts';
import { assertErrorQuota } from './quota.ts';

/** What an entry says of a report before anything is decided. */
type ParsedReportFields = Omit<ReportEntry, 'kind' | 'id' | 'group_id' | 'at' | 'opens' | 'reopens' | 'body_bytes'>;

/** A report that is ready to be counted. */
export interface ReportCandidate {
  seen: ParsedReportFields;
  /** The key it came with: it may have been rotated while the report was on its way. */
  api_key: string;
  fingerprint: string;
  grouping: Grouping;
  /** Of a report that source maps have told something of. Asked for only if no group answers to its fingerprint. */
  earlier?: (() => readonly EarlierFingerprint[]) | undefined;
  /** The whole report: asked for only if it is kept, which of a storm it seldom is. */
  body: () => string | Uint8Array;
}

export interface RecordRules {
  /** Reports a team may send a month; null: any number. */
  errorQuota: number | null;
  retentionReports: number;
}

/**
 * Decides what becomes of a report, in this order: repeat, quota, group, reopening. Decided one at a time,
 * so of any number that arrive together one opens the group and exactly the quota is let through.
 */
export function recordReport(transaction: Transaction, candidate: ReportCandidate, rules: RecordRules): Accepted {
  const { seen, api_key: key } = candidate;
  const arrival = { project_id: seen.project_id, event_id: seen.event_id, api_key: key };
  const { project, repeated } = checkDuplicateAndQuota(transaction, arrival, rules.errorQuota);
  if (repeated) return repeated;

  const { fingerprint, grouping, known } = identityWithin(transaction, candidate);
  const group = known ?? transaction.openGroup(project.id, fingerprint);
  const reopens = group.status === 'resolved';
  const keep = isStored(group.count, group.lastKeptAt, transaction.now, rules.retentionReports);
  const answer: Accepted = { success: true, error_group_id: group.id, fingerprint, is_new_group: !known };

  group.status = 'active';
  group.count++;
  if (keep) group.lastKeptAt = transaction.now;
  if (seen.event_id !== null) transaction.rememberAnswer(project.id, seen.event_id, answer);
  transaction.countReport(
    project.team_id,
    {
      kind: 'report',
      id: transaction.nextId('reports'),
      project_id: project.id,
      group_id: group.id,
      at: transaction.now,
      event_id: seen.event_id,
      type: seen.type,
      message: seen.message,
      culprit: seen.culprit,
      level: seen.level,
      environment: seen.environment,
      release: seen.release,
      url: seen.url,
      browser: seen.browser,
      os: seen.os,
      user_id: seen.user_id,
      opens: known ? null : { fingerprint, grouping },
      reopens,
      body_bytes: 0,
    },
    keep ? candidate.body() : null,
  );
  if (!known || reopens) enqueueNotifications(transaction, project.id, known ? 'reopened' : 'new', group.id);
  return answer;
}

/** Of a report, what is known of it before anybody knows which bug it tells of. */
export type Arrival = Pick<ParsedReportFields, 'project_id' | 'event_id'> & Pick<ReportCandidate, 'api_key'>;

/**
 * Decides what can be decided of a report whichever group it belongs to: `repeated` is the answer to one that has come
 * before. Throws if its key was rotated meanwhile, or if the quota is used up.
 */
export function checkDuplicateAndQuota(
  transaction: Transaction,
  { project_id: projectId, event_id: eventId, api_key: key }: Arrival,
  errorQuota: number | null,
): { project: ProjectRecord; repeated: Accepted | undefined } {
  const project = transaction.get('projects', projectId);
  if (project?.api_key !== key) throw invalidApiKey();

  const repeated = findDuplicate(transaction, project.id, eventId);
  if (!repeated) assertErrorQuota(transaction, project.team_id, errorQuota);
  return { project, repeated };
}

/** The answer to a key that is not, or no longer, that of a project. */
export function invalidApiKey(): ProblemError {
  return new ProblemError(
    'invalid_api_key',
    'No project has this API key. Copy the current one from the settings of the project: it may have been rotated.',
  );
}

interface Identity {
  fingerprint: string;
  grouping: Grouping;
  /** The group, unless the report opens it. */
  known: TransactionGroup | undefined;
}

/** Past the limit of a project, whatever is new counts under one overflow group. */
function identityWithin(transaction: Transaction, { fingerprint, grouping, earlier, seen }: ReportCandidate): Identity {
  const known = transaction.groupOf(seen.project_id, fingerprint);
  if (known) return { fingerprint, grouping, known };
  const adopted =
    aliasedGroup(transaction, seen.project_id, fingerprint) ??
    (earlier && addGroupAlias(transaction, seen.project_id, fingerprint, earlier()));
  if (adopted) return { fingerprint: adopted.born, grouping, known: adopted.group };
  if (!isOverflowing(transaction, seen.project_id)) return { fingerprint, grouping, known };
  return {
    fingerprint: overflowFingerprint,
    grouping: overflowGrouping(grouping.version),
    known: transaction.groupOf(seen.project_id, overflowFingerprint),
  };
}
