import type {
  Cause,
  ErrorGroup,
  Frame,
  GroupDetails,
  GroupQuery,
  GroupStatus,
  StoredReport,
  Page,
  PageQuery,
  RawFrame,
  ReportDetails,
  ReportSummary,
  Resolution,
} from '@service/protocol';
import type { Caller } from '../accounts/caller.ts';
import { commitAsCaller } from '../accounts/commit-as-caller.ts';
import { ProblemError } from '../problem.ts';
import { findProject, listProjects } from '../projects/projects.ts';
import { stackOf } from '../report/parse-report.ts';
import { readStoredReport } from '../report/stored-report.ts';
import { oldestReportAt } from '../retention/retention-policy.ts';
import type { Services } from '../services.ts';
import { explainResolution } from '../symbolication/explain-resolution.ts';
import type { BuildFacts } from '../symbolication/symbolicate-stack.ts';
import { symbolicateCached } from '../symbolication/symbolicate-cached.ts';
import type { ReportFrame } from '../stack/report-frame.ts';
import type { CauseSection } from '../stack/parsed-stack.ts';
import type { GroupState } from '../store/model/group-state.ts';
import type { LogPointer } from '../store/model/log-pointer.ts';
import { readablePath } from '../text/readable-path.ts';
import { correctSystemNames } from './correct-system-names.ts';

/** Returns a page of the groups of one project, or of all projects of the team. Rejects with `project_not_found`. */
export async function listGroups(services: Services, caller: Caller, query: GroupQuery): Promise<Page<ErrorGroup>> {
  const projects =
    query.project_id === undefined ? listProjects(services, caller) : [findProject(services, caller, query.project_id)];
  return services.store.model.lists.page(
    projects.map(({ id }) => id),
    query,
    { now: services.now(), owner: caller.teamId },
  );
}

/**
 * Returns a group of the caller's team; for the id of a merged group, the group that it is merged into. Throws
 * `group_not_found`, also for groups of other teams.
 */
export function findGroup({ store }: Services, caller: Caller, id: number): GroupState {
  const { groups } = store.model;
  const group = groups.get(groups.merged.targetId(id));
  if (!group || store.model.tables.projects.get(group.projectId)?.team_id !== caller.teamId) throw groupNotFound();
  return group;
}

/** Returns a group with its latest report, symbolicated with the current source maps. */
export async function readGroup(services: Services, group: GroupState): Promise<GroupDetails> {
  const latest = unexpiredPointers(services, group).at(-1);
  const latest_report = latest ? await readReportAt(services, group, latest) : null;
  const now = services.now();
  const tags = group.topTags();
  return {
    ...group.toRecord(now),
    ...group.toDetails(now),
    latest_report,
    tags: { ...tags, os: correctSystemNames(tags.os) },
    other_tags: group.otherTags(),
    ai_summary: services.store.model.tables.summaries.get(group.id)?.status ?? null,
    merged: [...services.store.model.groups.merged.mergedIds(group.id)].length,
  };
}

/** Returns a page of the stored reports of a group, newest first. */
export async function listReports(
  services: Services,
  group: GroupState,
  { page, size }: PageQuery,
): Promise<Page<ReportSummary>> {
  const stored = unexpiredPointers(services, group);
  const pointers = stored.toReversed().slice((page - 1) * size, page * size);
  const reports = await Promise.all(
    pointers.map(async ({ id, at }): Promise<ReportSummary | null> => {
      const body = await services.store.readBody(group.id, id);
      if (!body) return null;
      const { message, release, environment, url, user } = readStoredReport(body, at);
      const received_at = new Date(at).toISOString();
      return { id, received_at, message, release, environment, url, user: user && { id: user.id } };
    }),
  );
  const total = stored.length;
  const items = reports.filter((report) => report !== null);
  return { items, total, page, size, pages: Math.ceil(total / size) };
}

/** Returns a stored report of a group. Rejects with `report_not_found` if it is not stored or has expired. */
export async function readReportDetails(services: Services, group: GroupState, id: number): Promise<ReportDetails> {
  const pointer = unexpiredPointers(services, group).find((stored) => stored.id === id);
  const report = pointer && (await readReportAt(services, group, pointer));
  if (!report) throw new ProblemError('report_not_found', 'The group has no stored report with this id.');
  return report;
}

/**
 * Returns how each frame of the latest report is symbolicated with the current source maps.
 * Rejects with `report_not_found` if no report is stored.
 */
export async function readResolution(services: Services, group: GroupState): Promise<Resolution> {
  const latest = unexpiredPointers(services, group).at(-1);
  const body = latest && (await services.store.readBody(group.id, latest.id));
  if (!body) throw new ProblemError('report_not_found', 'The group has no stored reports.');
  const report = readStoredReport(body, latest.at);
  const { frames: stack } = stackOf(report);
  return { report_id: latest.id, frames: await explainResolution(services, stack, buildOf(group, report)) };
}

/** Sets the status of a group. Setting the current status changes nothing. */
export async function setGroupStatus(
  services: Services,
  caller: Caller,
  { id }: GroupState,
  status: GroupStatus,
): Promise<ErrorGroup> {
  const { store, now } = services;
  await commitAsCaller(services, caller, (transaction) => {
    const group = transaction.group(id);
    if (!group) throw groupNotFound();
    if (group.status !== status) transaction.setGroupStatus(group, status);
  });
  const group = store.model.groups.get(id);
  if (!group) throw groupNotFound();
  return group.toRecord(now());
}

/**
 * Deletes a group and the groups that are merged into it. A later report with one of their fingerprints creates a new
 * group with a new id. Rejects with `conflict` if `requestedId` is the id of a merged group, so that the group into
 * which it is merged is not deleted by mistake.
 */
export async function deleteGroup(
  services: Services,
  caller: Caller,
  { id }: GroupState,
  requestedId: number,
): Promise<void> {
  await commitAsCaller(services, caller, (transaction) => {
    if (transaction.get('merges', requestedId))
      throw new ProblemError('conflict', 'The group is merged into another group. Unmerge it, or delete that group.');
    const group = transaction.group(id);
    if (!group) throw groupNotFound();
    transaction.removeGroup(group);
  });
}

/** Returns the pointers to the stored reports, oldest first. Omits expired reports that are not removed yet. */
function unexpiredPointers({ config, now }: Services, group: GroupState): LogPointer[] {
  const oldest = oldestReportAt(now(), config.retentionDays);
  return group.reportPointers.all().filter(({ at }) => at >= oldest);
}

async function readReportAt(services: Services, group: GroupState, pointer: LogPointer): Promise<ReportDetails | null> {
  const { id, at } = pointer;
  const body = await services.store.readBody(group.id, id);
  if (!body) return null;
  const report = readStoredReport(body, at);
  const { frames: stack, causes } = stackOf(report);
  const build = buildOf(group, report);
  const { frames } = await symbolicateCached(services, stack, build);
  return {
    ...report,
    id,
    error_group_id: group.id,
    received_at: new Date(at).toISOString(),
    frames: frames.map(publicFrame),
    causes: await Promise.all(causes.map((cause) => readCause(services, cause, build))),
  };
}

async function readCause(
  services: Services,
  { type, message, relation, frames: stack }: CauseSection,
  build: BuildFacts,
): Promise<Cause> {
  const { frames } = await symbolicateCached(services, stack, build);
  return { type, message, relation: relation ?? null, frames: frames.map(publicFrame) };
}

function buildOf({ projectId }: GroupState, { release, debug_ids, url }: StoredReport): BuildFacts {
  return { projectId, release, debugIds: debug_ids, url };
}

/** Removes what only parsing and symbolication need. */
function publicFrame(frame: ReportFrame): Frame {
  const { function: name, file, line, column, in_app, resolved, context, sent_context, raw, module, variables } = frame;
  const rawFrame: RawFrame = { function: raw.function, file: raw.file, line: raw.line, column: raw.column };
  const path = file === null || file === raw.file ? file : readablePath(file);
  const shown: Frame = { function: name, file: path, line, column, in_app, resolved, context, raw: rawFrame };
  if (sent_context !== undefined) shown.sent_context = sent_context;
  if (module !== undefined) shown.module = module;
  if (variables !== undefined) shown.variables = variables;
  return shown;
}

export function groupNotFound(): ProblemError {
  return new ProblemError('group_not_found', 'There is no error group with this id.');
}
