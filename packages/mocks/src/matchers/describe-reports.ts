import type { AcceptedReport } from '../accepted-report.ts';
import type { RejectedReport } from '../rejected-report.ts';
import type { ReportLog } from '../report-log.ts';

/** The maximum number of described reports: a failure must stay readable. */
const maxDescribed = 10;

/** Describes what was reported, for the message of a failure. */
export function describeLog({ accepted, rejected }: ReportLog): string {
  const parts = [];
  if (accepted.length === 0) parts.push('Nothing was reported.');
  else parts.push(`Reported (${accepted.length}):`, describeReports(accepted));
  if (rejected.length > 0) parts.push(`Rejected (${rejected.length}):`, list(rejected, describeRejected));
  return parts.join('\n');
}

export function describeReports(reports: readonly AcceptedReport[]): string {
  return list(reports, describeReport);
}

/** Returns the first line of a report, as the dashboard shows it: `TypeError: x is undefined`. */
export function titleOf({ type, message }: AcceptedReport): string {
  return type && !message.startsWith(`${type}:`) ? `${type}: ${message}` : message;
}

function describeReport(report: AcceptedReport): string {
  const { stacktrace, level, environment, release, breadcrumbs, error_group_id } = report;
  const frame = stacktrace?.split('\n').find((line) => /^\s*at |@.*:\d+/.test(line));
  const facts = [
    level !== 'error' && level,
    environment,
    release,
    breadcrumbs?.length && `${breadcrumbs.length} breadcrumbs`,
  ];
  return [titleOf(report), frame?.trim(), [`group ${error_group_id}`, ...facts].filter(Boolean).join(' · ')]
    .filter(Boolean)
    .join('\n     ');
}

function describeRejected({ message, status, reason }: RejectedReport): string {
  return `${message || '(no message)'}\n     ${status === null ? '' : `${status} `}${reason}`;
}

function list<Item>(items: readonly Item[], describe: (item: Item) => string): string {
  const lines = items.slice(0, maxDescribed).map((item, at) => `  ${at + 1}. ${describe(item)}`);
  if (items.length > maxDescribed) lines.push(`  and ${items.length - maxDescribed} more`);
  return lines.join('\n');
}
