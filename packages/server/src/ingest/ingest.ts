import type { Accepted } from '@service/protocol';
import { ProblemError } from '../problem.ts';
import { assertJsonComplexity } from '../validation/assert-json-complexity.ts';
import { bytesToStore } from '../report/stored-report.ts';
import { parseReport, type ParsedReport, type SentReport } from '../report/parse-report.ts';
import { assertReportFields } from '../report/assert-report-fields.ts';
import type { Services } from '../services.ts';
import { fingerprintReport, type ReportFingerprint } from '../grouping/fingerprint-report.ts';
import type { Transaction } from '../store/log/transaction.ts';
import { namesDeadline } from '../symbolication/function-names.ts';
import { symbolicateReport, type SymbolicatedReport } from '../symbolication/symbolicate-report.ts';
import { overflowFingerprint } from './overflow-group.ts';
import { checkDuplicateAndQuota, invalidApiKey, recordReport, type NewReport } from './record-report.ts';
import type { ProjectRecord } from '../store/records/project-records.ts';
import { readColumns } from '../store/records/columns-and-fields.ts';
import { isRecord, validationFailed } from '../validation/validation.ts';
import { readUserAgent } from './read-user-agent.ts';

/** After this number of attempts the report is recorded even if source maps changed during symbolication. */
const maxSymbolicationAttempts = 3;

/**
 * Ingests one report. Resolves once it is durable and counted. Notifications are queued in the same transaction;
 * their delivery and live events follow from the log.
 *
 * The type of a report at each step, the same in the whole server:
 * - `ErrorReport`: the JSON schema of the request body
 * - `SentReport`: the request body and the header that describes it, before parsing
 * - `ParsedReport`: truncated to the limits, with its stack trace parsed
 * - `FingerprintInput`: the parts that decide its group, with symbolicated frames
 * - `NewReport`: ready to be recorded
 * - `ReportEntry`: one entry of the log
 * - `StoredReport`: read back from the storage
 * - `StreamEvent`: the live event of its group
 */
export async function ingest(services: Services, sent: SentReport): Promise<Accepted> {
  const { project, body } = authenticateReport(services, sent);
  validateReport(sent, body);
  const report = parseReport(body, sent);

  const namesUntil = namesDeadline();
  for (let attempt = 1; ; attempt++) {
    const maps = services.store.model.mapsOf(project.id);
    let symbolicated: SymbolicatedReport;
    try {
      const result = symbolicateReport(services, project.id, report, namesUntil);
      // Awaiting a value that is already there would still suspend this function until the next microtask.
      symbolicated = result instanceof Promise ? await result : result;
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      return respondWithoutSymbolication(services, project, report, error);
    }
    const newReport = toNewReport(project, report, fingerprintReport(report, symbolicated), () =>
      bytesToStore(report, sent.json.bytes, sent),
    );
    if (services.store.room.isFull) await services.store.room.recheck();
    const accepted = await services.store.commit((transaction) => {
      // If the maps have changed during symbolication, the report is symbolicated again, because a recorded report
      // counts as newer than all current maps.
      if (attempt < maxSymbolicationAttempts && transaction.haveMapsChanged(project.id, maps)) return null;
      return recordReport(transaction, newReport, {
        errorQuota: errorQuotaOf(services, transaction, project),
        retentionReports: services.config.retentionReports,
        storageBudget: services.storageBudget,
      });
    });
    if (accepted !== null) return respond(services, project, accepted);
  }
}

/** Throws `validation_failed` if the report has no key, and `invalid_api_key` if no project has it. */
function authenticateReport(
  { store }: Services,
  { json: { value: body } }: SentReport,
): { project: ProjectRecord; body: Record<string, unknown> } {
  if (!isRecord(body)) throw validationFailed([{ path: '', detail: 'expected a JSON object' }]);
  const key = body.project_api_key;
  if (typeof key !== 'string') throw validationFailed([{ path: 'project_api_key', detail: 'expected string' }]);
  const project = store.model.tables.projects.find(key);
  if (!project) throw invalidApiKey();
  return { project, body };
}

/** Throws `validation_failed` if the JSON is too complex or a field is invalid. */
function validateReport({ json }: SentReport, body: Record<string, unknown>): void {
  if (!json.isSimple) assertJsonComplexity(body, json.text);
  assertReportFields(body);
}

/**
 * Responds to a report that cannot be symbolicated now. A duplicate gets the first response. A report over the quota,
 * of a disabled team, or with an API key that is no longer valid is rejected for that reason: a retry would not help
 * it. Any other report is rejected with `error`.
 */
function respondWithoutSymbolication(
  services: Services,
  project: ProjectRecord,
  { facts }: ParsedReport,
  error: ProblemError,
): Promise<Accepted> {
  const report = { project_id: project.id, api_key: project.api_key, columns: facts };
  return services.store.commit((transaction) => {
    const errorQuota = errorQuotaOf(services, transaction, project);
    const { repeated } = checkDuplicateAndQuota(transaction, report, errorQuota);
    if (repeated) return repeated;
    throw error;
  });
}

/** Returns the quota of the team's plan at the time of the transaction: a change of plan takes effect immediately. */
function errorQuotaOf(
  { plans }: Services,
  transaction: Transaction,
  { team_id: teamId }: ProjectRecord,
): number | null {
  return plans.of(transaction.get('teams', teamId)).error_quota;
}

function toNewReport(
  project: ProjectRecord,
  { facts }: ParsedReport,
  { type, fingerprint, grouping, culprit, location, earlier, unnamed }: ReportFingerprint,
  body: NewReport['body'],
): NewReport {
  return {
    project_id: project.id,
    api_key: project.api_key,
    fingerprint,
    grouping,
    location,
    earlier,
    unnamed,
    body,
    columns: readColumns(facts, type, culprit, readUserAgent(facts.user_agent)),
  };
}

function respond({ log }: Services, { id }: ProjectRecord, accepted: Accepted): Accepted {
  if (accepted.is_new_group && accepted.fingerprint === overflowFingerprint)
    log.warn({ project_id: id }, 'the project has too many groups: new errors count in one overflow group');
  return accepted;
}
