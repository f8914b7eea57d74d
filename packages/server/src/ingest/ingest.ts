import { limits, type Accepted } from '@service/protocol';
import { truncate } from '../text/truncate.ts';
import type { SentJson } from '../validation/json.ts';
import { ProblemError } from '../problem.ts';
import { assertSimple } from './assert-simple.ts';
import { bytesToKeep } from '../report/stored-report.ts';
import { readReport, type ReportRequest, type SentReport } from '../report/read-report.ts';
import type { Services } from '../services.ts';
import { identify, type Identity } from '../grouping/identify.ts';
import type { Transaction } from '../store/log/transaction.ts';
import { overflowFingerprint } from './overflow.ts';
import { checkDuplicateAndQuota, invalidApiKey, recordReport, type ReportCandidate } from './record-report.ts';
import type { ProjectRecord } from '../store/records/records.ts';
import { isRecord, validationFailed } from '../validation/validation.ts';
import { readUserAgent } from './user-agent.ts';

/** So often a stack is read again if maps change while it is read; then what was read counts. */
const mostReadings = 3;

/**
 * The way of a report. Resolves once it is durable and counted.
 * What follows from it (reopening, notifications) follows what was recorded; nothing else is called on the way.
 */
export async function ingest(services: Services, body: SentJson, request: ReportRequest): Promise<Accepted> {
  const { project, fields } = authenticate(services, body);
  const report = readReport(fields, request);
  for (let readings = 1; ; readings++) {
    const maps = services.store.model.mapsOf(project.id);
    let identity: Identity;
    try {
      const found = identify(services, project.id, report);
      // To wait for what is there already would cost every report a turn.
      identity = found instanceof Promise ? await found : found;
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      // What comes again, or can't be taken anyway, is told so.
      const arrival = { project_id: project.id, event_id: report.facts.event_id, api_key: project.api_key };
      return services.store.commit((transaction) => {
        const { repeated } = checkDuplicateAndQuota(transaction, arrival, errorQuotaOf(services, transaction, project));
        if (repeated) return repeated;
        throw error;
      });
    }
    const candidate = candidateOf(project, report, identity, () => bytesToKeep(report, body.bytes, request));
    const accepted = await services.store.commit((transaction) => {
      // Of a map that came just now the report must know, or its group would be taken for one that came after the map.
      if (readings < mostReadings && transaction.haveMapsChanged(project.id, maps)) return null;
      return recordReport(transaction, candidate, {
        errorQuota: errorQuotaOf(services, transaction, project),
        retentionReports: services.config.retentionReports,
      });
    });
    if (accepted === null) continue;
    if (accepted.is_new_group && accepted.fingerprint === overflowFingerprint) tellOfOverflow(services, project);
    return accepted;
  }
}

/** By the plan that holds when a report is decided: another counts at once. */
function errorQuotaOf(
  { plans }: Services,
  transaction: Transaction,
  { team_id: teamId }: ProjectRecord,
): number | null {
  return plans.of(transaction.get('teams', teamId)).error_quota;
}

function authenticate(
  { store }: Services,
  { value: body, text }: SentJson,
): { project: ProjectRecord; fields: Record<string, unknown> } {
  if (!isRecord(body)) throw validationFailed([{ path: '', detail: 'expected a JSON object' }]);
  const key = body.project_api_key;
  if (typeof key !== 'string') throw validationFailed([{ path: 'project_api_key', detail: 'expected string' }]);
  const project = store.model.tables.projects.find(key);
  if (!project) throw invalidApiKey();
  assertSimple(body, text);
  return { project, fields: body };
}

function candidateOf(
  project: ProjectRecord,
  { facts }: SentReport,
  { fingerprint: print, grouping, culprit, earlier }: Identity,
  body: ReportCandidate['body'],
): ReportCandidate {
  const { browser, os } = readUserAgent(facts.user_agent);
  return {
    api_key: project.api_key,
    fingerprint: print,
    grouping,
    earlier,
    body,
    // Many a client sends an empty text for what it does not know.
    seen: {
      project_id: project.id,
      event_id: facts.event_id,
      type: facts.type,
      message: truncate(facts.message, limits.listedMessageChars),
      culprit,
      level: facts.level,
      environment: facts.environment || null,
      release: facts.release || null,
      url: facts.url || null,
      browser,
      os,
      user_id: facts.user?.id || null,
    },
  };
}

function tellOfOverflow({ log }: Services, { id }: ProjectRecord): void {
  log.warn({ project_id: id }, 'the project has too many groups: what is new counts under one overflow group');
}
