import type { CheckedRound } from './check.ts';
import { monthOf, type SentReport } from './check-reports.ts';
import { fate, isAfter, mayHaveHappened, ofKind } from './deed.ts';
import type { Ideal, IdealGroup, IdealProject } from './ideal.ts';
import type { SeenGroup, SeenProject } from './seen.ts';
import { Anomaly } from './world.ts';

/** Reports this old may be gone. */
const retentionMs = 89 * 24 * 3_600_000;

/** Holds the group of one bug against what was answered of its reports. */
export function checkGroup(
  ideal: Ideal,
  project: IdealProject,
  seen: SeenProject,
  message: string,
  allReports: readonly SentReport[],
  round: CheckedRound,
): void {
  const before = project.groups.get(message) ?? null;
  const shown = seen.groups.filter(({ record }) => record.message === message);
  if (shown.length > 1) throw new Anomaly(`There are ${shown.length} groups of ${message}`);
  const [now] = shown;
  const reports = allReports.filter((report) => report.project === project.id && report.message === message);

  for (const id of idsOf(before, reports, now)) {
    const bug = `${project.id} ${message}`;
    if ((ideal.bugOfGroup.get(id) ?? bug) !== bug) throw new Anomaly(`Group ${id} stands for two bugs`);
    ideal.bugOfGroup.set(id, bug);
    if (ideal.deletedGroups.has(id)) throw new Anomaly(`Group ${id} was deleted and is there again`);
    if (id !== before?.id) checkOpening(id, reports);
    if (id !== now?.record.error_group_id) leave(id);
  }

  const isOpen = ofKind(round.deeds, 'delete group').some((deed) => isOfThisBug(deed.group) && mayHaveHappened(deed));
  const sure = reports.filter(({ isCounted }) => isCounted === 'yes');
  const unsure = reports.filter(({ isCounted }) => isCounted === 'maybe');
  if (!now) {
    project.groups.delete(message);
    if (isOpen) forgetUnsure();
    else settle(new Set());
    return;
  }
  const isSame = before?.id === now.record.error_group_id;
  if (
    ofKind(round.deeds, 'delete group').some((deed) => deed.group === now.record.error_group_id && fate(deed) === 'yes')
  )
    throw new Anomaly(`Group ${now.record.error_group_id} was deleted and is there`);
  const inThis = sure.filter(({ group }) => group === now.record.error_group_id);
  const least = (isSame ? before.count : 0) + inThis.length;
  const { count } = now.record;
  if (count < least || count > least + unsure.length)
    throw new Anomaly(
      `Group ${now.record.error_group_id} (${message}) counts ${count}, not ${least}${unsure.length ? ` to ${least + unsure.length}` : ''}`,
    );
  const kept = checkKept(ideal, isSame ? before : null, now, inThis, unsure, round);
  if (isSame) checkStatus(before, now, count - before.count, round);
  else if (now.record.reopen_count > ofKind(round.deeds, 'status').length)
    throw new Anomaly(`Group ${now.record.error_group_id} was reopened more often than it was resolved`);

  const wasCounted = unsure.filter(({ marks }) => marks.some((mark) => kept.ids.has(mark)));
  const open = count - least;
  if (isOpen || (!kept.isWhole && open > 0 && open < unsure.length)) forgetUnsure();
  else settle(new Set(kept.isWhole ? wasCounted : open === 0 ? [] : unsure));

  project.groups.set(message, {
    id: now.record.error_group_id,
    count,
    status: now.record.status,
    reopenCount: now.record.reopen_count,
    firstSeen: now.record.first_seen,
    kept: kept.ids,
    keptAt: kept.at,
    outdated: outdatedOf(isSame ? before : null, round.latest),
  });

  function isOfThisBug(id: number): boolean {
    return ideal.bugOfGroup.get(id) === `${project.id} ${message}`;
  }

  /** Of all reports of a group, one is told that it is new. */
  function checkOpening(id: number, sent: readonly SentReport[]): void {
    if (id <= round.told.group) throw new Anomaly(`The id of group ${id} was used before`);
    const openers = sent.filter(({ group, isNew }) => group === id && isNew).length;
    if (openers > 1) throw new Anomaly(`${openers} reports were told that group ${id} is new`);
    if (openers === 0 && !sent.some(({ isCounted }) => isCounted === 'maybe'))
      throw new Anomaly(`No report was told that group ${id} is new`);
    ideal.lastIds.group = Math.max(ideal.lastIds.group, id);
  }

  /** A group that is not there any more. */
  function leave(id: number): void {
    const isDeleted = ofKind(round.deeds, 'delete group').some((deed) => deed.group === id && mayHaveHappened(deed));
    if (!isDeleted) throw new Anomaly(`Group ${id} (${message}) is gone, and nobody deleted it`);
    ideal.deletedGroups.add(id);
  }

  /** Whether they were counted is known from now on. */
  function settle(counted: ReadonlySet<SentReport>): void {
    ideal.usedIn(monthOf(round.now)).high -= unsure.length - counted.size;
    ideal.usedIn(monthOf(round.now)).low += counted.size;
    for (const { eventId } of unsure) if (eventId !== null) project.firstAnswers.delete(eventId);
    for (const report of [...sure, ...counted]) {
      if (report.eventId === null) continue;
      const group = report.group ?? now?.record.error_group_id ?? 0;
      project.firstAnswers.set(report.eventId, { group, isNew: report.isNew, at: round.now });
    }
  }

  /** Nobody will ever know. They are not sent again, for what they would be answered is open too. */
  function forgetUnsure(): void {
    for (const { eventId } of unsure)
      if (eventId !== null) project.firstAnswers.set(eventId, { group: -1, isNew: null, at: -Infinity });
    for (const { eventId, group, isNew } of sure)
      if (eventId !== null && group !== null) project.firstAnswers.set(eventId, { group, isNew, at: round.now });
  }
}

function outdatedOf(before: IdealGroup | null, latest: number): Map<string, number> {
  const outdated = new Map(before?.outdated);
  for (const [mark, at] of before?.keptAt ?? [])
    if (latest - at >= retentionMs) outdated.set(mark, before?.kept.get(mark) ?? 0);
  return outdated;
}

function idsOf(before: IdealGroup | null, reports: readonly SentReport[], now: SeenGroup | undefined): Set<number> {
  const ids = [before?.id, ...reports.map(({ group }) => group), now?.record.error_group_id];
  return new Set(ids.filter((id): id is number => typeof id === 'number'));
}

/** The kept reports are those that were sent, each once, and none of the first ones is missing. */
function checkKept(
  ideal: Ideal,
  before: IdealGroup | null,
  { record, kept }: SeenGroup,
  sure: readonly SentReport[],
  unsure: readonly SentReport[],
  { rules, latest, told }: CheckedRound,
): { ids: Map<string, number>; at: Map<string, number>; isWhole: boolean } {
  const id = record.error_group_id;
  if (record.users !== record.count)
    throw new Anomaly(`Group ${id} counts ${record.count} reports of ${record.users} users`);
  if (before && before.firstSeen !== record.first_seen) throw new Anomaly(`Group ${id} was first seen at another time`);
  if (!kept) return { ids: before?.kept ?? new Map(), at: before?.keptAt ?? new Map(), isWhole: false };
  const ids = new Map<string, number>();
  for (const report of kept) {
    const mark = report.user?.id ?? '';
    const sent = [...sure, ...unsure].find(({ marks }) => marks.includes(mark));
    if (ids.has(mark)) throw new Anomaly(`Group ${id} has report ${mark} twice`);
    const known = before?.kept.get(mark) ?? before?.outdated.get(mark);
    if (known === undefined ? !sent : known !== report.id)
      throw new Anomaly(`Group ${id} has a report ${mark} that should not be there`);
    if (sent?.marks.some((other) => ids.has(other))) throw new Anomaly(`Group ${id} counted a repeat, ${mark}`);
    if (known === undefined && report.id <= told.report)
      throw new Anomaly(`The id of report ${report.id} was used before`);
    ids.set(mark, report.id);
    ideal.lastIds.report = Math.max(ideal.lastIds.report, report.id);
  }
  const isYoung = outdatedOf(before, latest).size === 0;
  const isWhole = record.count <= rules.retentionReports && isYoung;
  if (isWhole) {
    if (ids.size !== record.count) throw new Anomaly(`Group ${id} keeps ${ids.size} of its ${record.count} reports`);
    const lost = sure.find(({ marks }) => !marks.some((mark) => ids.has(mark)));
    if (lost) throw new Anomaly(`Group ${id} has lost report ${lost.marks.join()}`);
  }
  if (isYoung && ids.size < Math.min(record.count, rules.retentionReports))
    throw new Anomaly(`Group ${id} keeps no more than ${ids.size} of ${record.count} reports`);
  if (ids.size > 2 * rules.retentionReports) throw new Anomaly(`Group ${id} keeps ${ids.size} reports`);
  const first = [...(before?.kept ?? [])].toSorted(([, a], [, b]) => a - b).slice(0, rules.retentionReports);
  for (const [mark] of isYoung ? first : [])
    if (!ids.has(mark)) throw new Anomaly(`Group ${id} has lost report ${mark}`);
  const at = new Map(kept.map(({ user, received_at }) => [user?.id ?? '', Date.parse(received_at)]));
  return { ids, at, isWhole };
}

function checkStatus(before: IdealGroup, { record }: SeenGroup, counted: number, { deeds }: CheckedRound): void {
  const id = record.error_group_id;
  const changes = ofKind(deeds, 'status').filter((deed) => deed.group === id && mayHaveHappened(deed));
  const reopened = record.reopen_count - before.reopenCount;
  if (changes.length === 0) {
    const reopens = before.status === 'resolved' && counted > 0;
    const status = reopens ? 'active' : before.status;
    if (record.status !== status) throw new Anomaly(`Group ${id} is ${record.status}, not ${status}`);
    if (reopened !== Number(reopens))
      throw new Anomaly(`Group ${id} was reopened ${reopened} times by ${counted} reports`);
    return;
  }
  const resolved = changes.filter(({ status }) => status === 'resolved').length + Number(before.status === 'resolved');
  if (reopened < 0 || reopened > Math.min(resolved, counted))
    throw new Anomaly(`Group ${id} was reopened ${reopened} times by ${counted} reports`);
  if (counted > 0) return;
  const answered = changes.filter((deed) => fate(deed) === 'yes');
  const last = changes.filter(({ call }) => !answered.some((other) => isAfter(other.call, call)));
  const possible = [...last.map(({ status }) => status), ...(answered.length === 0 ? [before.status] : [])];
  if (!possible.includes(record.status)) throw new Anomaly(`Group ${id} is ${record.status}`);
}
