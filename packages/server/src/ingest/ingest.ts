import { limits, type Accepted, type KeptReport } from '@service/protocol';
import { fingerprint, type Fingerprint } from '../fingerprint/fingerprint.ts';
import type { Services } from '../services.ts';
import { symbolicate, type BuildFacts } from '../sources/symbolicate.ts';
import { readMessage } from '../stack/heading.ts';
import { parseStack, type ParsedStack } from '../stack/parse-stack.ts';
import { invalidApiKey, overflowFingerprint, recordReport, type ReportCandidate } from '../store/record-report.ts';
import type { ProjectRecord } from '../store/records.ts';
import { isRecord, validationFailed } from '../validation.ts';
import { assertSimple } from './assert-simple.ts';
import { head } from './cut-text.ts';
import { readReport, type ReportRequest } from './read-report.ts';
import { readUserAgent } from './user-agent.ts';

/**
 * The way of a report. Resolves once it is durable and counted.
 * What follows from it (reopening, notifications) follows what was recorded; nothing else is called on the way.
 */
export async function ingest(services: Services, body: unknown, request: ReportRequest): Promise<Accepted> {
  const { project, fields } = authenticate(services, body);
  const sent = readReport(fields, request);
  const stack = parseStack(sent.stacktrace ?? '');
  const report = complete(sent, stack);
  const identity = await identify(services, project, report, stack);
  return record(services, project, report, identity);
}

function authenticate({ store }: Services, body: unknown): { project: ProjectRecord; fields: Record<string, unknown> } {
  if (!isRecord(body)) throw validationFailed([{ path: '', detail: 'expected a JSON object' }]);
  const key = body.project_api_key;
  if (typeof key !== 'string') throw validationFailed([{ path: 'project_api_key', detail: 'expected string' }]);
  const project = store.model.tables.projects.find(key);
  if (!project) throw invalidApiKey();
  assertSimple(body);
  return { project, fields: body };
}

/** What the client left out and the stack tells. */
function complete(report: KeptReport, stack: ParsedStack): KeptReport {
  const message = report.message.trim() === '' ? firstLine(report.stacktrace ?? '') : report.message;
  return { ...report, message, type: report.type?.trim() ? report.type : (stack.type ?? readMessage(message).type) };
}

/** Resolves the stack as far as maps are there, and says which group it belongs to. */
async function identify(
  services: Services,
  project: ProjectRecord,
  report: KeptReport,
  stack: ParsedStack,
): Promise<Fingerprint> {
  const build: BuildFacts = {
    projectId: project.id,
    release: report.release,
    debugIds: report.debug_ids,
    url: report.url,
  };
  const causes = stack.causes.map(async ({ type: causeType, message, frames }) => ({
    type: causeType,
    message,
    frames: await symbolicate(services, frames, build),
  }));
  return fingerprint({
    type: report.type,
    message: report.message,
    frames: await symbolicate(services, stack.frames, build),
    causes: await Promise.all(causes),
    url: report.url,
  });
}

async function record(
  { store, config, log }: Services,
  project: ProjectRecord,
  report: KeptReport,
  identity: Fingerprint,
): Promise<Accepted> {
  const { browser, os } = readUserAgent(report.user_agent);
  const candidate: ReportCandidate = {
    api_key: project.api_key,
    fingerprint: identity.fingerprint,
    grouping: identity.grouping,
    body: () => JSON.stringify(report),
    // Many a client sends an empty text for what it does not know.
    seen: {
      project_id: project.id,
      event_id: report.event_id,
      type: report.type,
      message: head(report.message, limits.listedMessageChars),
      culprit: identity.culprit,
      level: report.level,
      environment: report.environment || null,
      release: report.release || null,
      url: report.url || null,
      browser,
      os,
      user_id: report.user?.id || null,
    },
  };
  const accepted = await store.commit((draft) => recordReport(draft, candidate, config));
  if (accepted.is_new_group && accepted.fingerprint === overflowFingerprint) {
    log.warn(
      { project_id: project.id },
      'the project has too many groups: what is new counts under one overflow group',
    );
  }
  return accepted;
}

function firstLine(text: string): string {
  const start = text.search(/\S/);
  const end = text.indexOf('\n', start);
  return text.slice(start, end < 0 ? undefined : end).trimEnd();
}
