import type { CheckedRound } from './checked-round.ts';
import type { SentReport } from './check-reports.ts';
import { tookEffect, isAfter, mayHaveTakenEffect, ofKind } from './client-operation.ts';
import { monthOf, type Model, type ModelGroup, type ModelProject } from './model.ts';
import type { ObservedGroup, ObservedProject } from './observed-state.ts';
import { Anomaly } from './anomaly.ts';

/** Reports older than this may have been removed. */
const retentionMs = 89 * 24 * 3_600_000;

/** Checks the group of one bug against the responses to its reports. Throws an Anomaly if they disagree. */
export function checkGroup(
  model: Model,
  project: ModelProject,
  seen: ObservedProject,
  message: string,
  allReports: readonly SentReport[],
  round: CheckedRound,
): void {
  const before = project.groups.get(message) ?? null;
  const shown = seen.groups.filter(({ record }) => record.message === message);
  if (shown.length > 1) throw new Anomaly(`${message} has ${shown.length} groups`);
  const [now] = shown;
  const reports = allReports.filter((report) => report.project === project.id && report.message === message);

  for (const id of idsOf(before, reports, now)) {
    const bug = `${project.id} ${message}`;
    if ((model.bugOfGroup.get(id) ?? bug) !== bug) throw new Anomaly(`Group ${id} holds two bugs`);
    model.bugOfGroup.set(id, bug);
    if (model.deletedGroups.has(id)) throw new Anomaly(`Group ${id} was deleted and exists again`);
    if (id !== before?.id) checkOpening(id, reports);
    if (id !== now?.record.error_group_id) recordRemoval(id);
  }

  const isOpen = ofKind(round.operations, 'delete group').some(
    (operation) => isOfThisBug(operation.group) && mayHaveTakenEffect(operation),
  );
  const sure = reports.filter(({ isCounted }) => isCounted === 'yes');
  const unsure = reports.filter(({ isCounted }) => isCounted === 'maybe');
  if (!now) {
    project.groups.delete(message);
    if (isOpen) dropUnsure();
    else settle(new Set());
    return;
  }
  const isSame = before?.id === now.record.error_group_id;
  if (
    ofKind(round.operations, 'delete group').some(
      (operation) => operation.group === now.record.error_group_id && tookEffect(operation) === 'yes',
    )
  )
    throw new Anomaly(`Group ${now.record.error_group_id} was deleted and still exists`);
  const inThis = sure.filter(({ group }) => group === now.record.error_group_id);
  const least = (isSame ? before.count : 0) + inThis.length;
  const { count } = now.record;
  if (count < least || count > least + unsure.length)
    throw new Anomaly(
      `Group ${now.record.error_group_id} (${message}) counts ${count} reports, not ${least}${unsure.length ? ` to ${least + unsure.length}` : ''}`,
    );
  const stored = checkKept(model, isSame ? before : null, now, inThis, unsure, round);
  if (isSame) checkStatus(before, now, count - before.count, round);
  else if (now.record.reopen_count > ofKind(round.operations, 'status').length)
    throw new Anomaly(`Group ${now.record.error_group_id} was reopened more often than it was resolved`);

  const wasCounted = unsure.filter(({ markers }) => markers.some((marker) => stored.ids.has(marker)));
  const open = count - least;
  if (isOpen || (!stored.isWhole && open > 0 && open < unsure.length)) dropUnsure();
  else settle(new Set(stored.isWhole ? wasCounted : open === 0 ? [] : unsure));

  project.groups.set(message, {
    id: now.record.error_group_id,
    count,
    status: now.record.status,
    reopenCount: now.record.reopen_count,
    firstSeen: now.record.first_seen,
    stored: stored.ids,
    storedAt: stored.at,
    outdated: hiddenOf(isSame ? before : null, stored.ids, round),
  });

  function isOfThisBug(id: number): boolean {
    return model.bugOfGroup.get(id) === `${project.id} ${message}`;
  }

  /** Checks that one report of a new group got a response with `is_new_group`, or none if an outcome is unknown. */
  function checkOpening(id: number, sent: readonly SentReport[]): void {
    if (id <= round.previousIds.group) throw new Anomaly(`The id of group ${id} was used before`);
    const openers = sent.filter(({ group, isNew }) => group === id && isNew).length;
    if (openers > 1) throw new Anomaly(`${openers} reports were called new in group ${id}`);
    if (openers === 0 && !sent.some(({ isCounted }) => isCounted === 'maybe'))
      throw new Anomaly(`No report was called new in group ${id}`);
    model.lastIds.group = Math.max(model.lastIds.group, id);
  }

  /** Records that a group has disappeared. Throws an Anomaly if no deletion may have removed it. */
  function recordRemoval(id: number): void {
    const isDeleted = ofKind(round.operations, 'delete group').some(
      (operation) => operation.group === id && mayHaveTakenEffect(operation),
    );
    if (!isDeleted) throw new Anomaly(`Group ${id} (${message}) has disappeared without a deletion`);
    model.deletedGroups.add(id);
  }

  /** Records which of the unsure reports were counted. */
  function settle(counted: ReadonlySet<SentReport>): void {
    model.usedIn(monthOf(round.now)).high -= unsure.length - counted.size;
    model.usedIn(monthOf(round.now)).low += counted.size;
    for (const { eventId } of unsure) if (eventId !== null) project.storedResponses.delete(eventId);
    for (const report of [...sure, ...counted]) {
      if (report.eventId === null) continue;
      const group = report.group ?? now?.record.error_group_id ?? 0;
      project.storedResponses.set(report.eventId, { group, isNew: report.isNew, at: round.now });
    }
  }

  /** Records that the unsure reports cannot be settled. They are not sent again: the response would also be unknown. */
  function dropUnsure(): void {
    for (const { eventId } of unsure)
      if (eventId !== null) project.storedResponses.set(eventId, { group: -1, isNew: null, at: -Infinity });
    for (const { eventId, group, isNew } of sure)
      if (eventId !== null && group !== null) project.storedResponses.set(eventId, { group, isNew, at: round.now });
  }
}

function outdatedOf(before: ModelGroup | null, latest: number): Map<string, number> {
  const outdated = new Map(before?.outdated);
  for (const [marker, at] of before?.storedAt ?? [])
    if (latest - at >= retentionMs) outdated.set(marker, before?.stored.get(marker) ?? 0);
  return outdated;
}

/** Returns the outdated reports, and those that a jump has hidden until the clock is right. */
function hiddenOf(
  before: ModelGroup | null,
  shown: ReadonlyMap<string, number>,
  { latest, hasJumped }: CheckedRound,
): Map<string, number> {
  const hidden = outdatedOf(before, latest);
  if (hasJumped) for (const [marker, id] of before?.stored ?? []) if (!shown.has(marker)) hidden.set(marker, id);
  return hidden;
}

function idsOf(before: ModelGroup | null, reports: readonly SentReport[], now: ObservedGroup | undefined): Set<number> {
  const ids = [before?.id, ...reports.map(({ group }) => group), now?.record.error_group_id];
  return new Set(ids.filter((id): id is number => typeof id === 'number'));
}

/** Checks that each stored report was sent and is stored once, and that none of the first reports is missing. */
function checkKept(
  model: Model,
  before: ModelGroup | null,
  { record, stored }: ObservedGroup,
  sure: readonly SentReport[],
  unsure: readonly SentReport[],
  { rules, latest, previousIds, hasJumped, isClockRight }: CheckedRound,
): { ids: Map<string, number>; at: Map<string, number>; isWhole: boolean } {
  const id = record.error_group_id;
  if (record.users !== record.count)
    throw new Anomaly(`Group ${id} counts ${record.count} reports of ${record.users} users`);
  if (before && before.firstSeen !== record.first_seen && !hasJumped)
    throw new Anomaly(`Group ${id} was first seen at another time`);
  if (!stored) return { ids: before?.stored ?? new Map(), at: before?.storedAt ?? new Map(), isWhole: false };
  const ids = new Map<string, number>();
  for (const report of stored) {
    const marker = report.user?.id ?? '';
    const sent = [...sure, ...unsure].find(({ markers }) => markers.includes(marker));
    if (ids.has(marker)) throw new Anomaly(`Group ${id} stores report ${marker} twice`);
    const known = before?.stored.get(marker) ?? before?.outdated.get(marker);
    if (known === undefined ? !sent : known !== report.id)
      throw new Anomaly(`Group ${id} stores report ${marker}, which it must not store`);
    if (sent?.markers.some((other) => ids.has(other))) throw new Anomaly(`Group ${id} counted a repeat, ${marker}`);
    if (known === undefined && report.id <= previousIds.report)
      throw new Anomaly(`The id of report ${report.id} was used before`);
    ids.set(marker, report.id);
    model.lastIds.report = Math.max(model.lastIds.report, report.id);
  }
  // Reports from before a jump may be hidden after it.
  const isYoung = isClockRight || (!hasJumped && outdatedOf(before, latest).size === 0);
  const isWhole = record.count <= rules.retentionReports && isYoung;
  if (isWhole) {
    if (ids.size !== record.count) throw new Anomaly(`Group ${id} stores ${ids.size} of its ${record.count} reports`);
    const lost = sure.find(({ markers }) => !markers.some((marker) => ids.has(marker)));
    if (lost) throw new Anomaly(`Group ${id} has lost report ${lost.markers.join()}`);
  }
  if (isYoung && ids.size < Math.min(record.count, rules.retentionReports))
    throw new Anomaly(`Group ${id} stores only ${ids.size} of ${record.count} reports`);
  if (ids.size > 2 * rules.retentionReports) throw new Anomaly(`Group ${id} stores ${ids.size} reports`);
  const first = [...(before?.stored ?? [])].toSorted(([, a], [, b]) => a - b).slice(0, rules.retentionReports);
  for (const [marker] of isYoung ? first : [])
    if (!ids.has(marker)) throw new Anomaly(`Group ${id} has lost report ${marker}`);
  const at = new Map(stored.map(({ user, received_at }) => [user?.id ?? '', Date.parse(received_at)]));
  return { ids, at, isWhole };
}

function checkStatus(
  before: ModelGroup,
  { record }: ObservedGroup,
  counted: number,
  { operations }: CheckedRound,
): void {
  const id = record.error_group_id;
  const changes = ofKind(operations, 'status').filter(
    (operation) => operation.group === id && mayHaveTakenEffect(operation),
  );
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
  const acknowledged = changes.filter((operation) => tookEffect(operation) === 'yes');
  const last = changes.filter(({ call }) => !acknowledged.some((other) => isAfter(other.call, call)));
  const possible = [...last.map(({ status }) => status), ...(acknowledged.length === 0 ? [before.status] : [])];
  if (!possible.includes(record.status)) throw new Anomaly(`Group ${id} is ${record.status}`);
}
