import type { Services } from '../services.ts';
import type { Transaction } from '../store/log/transaction.ts';
import type { StaleCulpritsRecord } from '../store/records/grouping-records.ts';
import { pause } from '../time/pause.ts';
import { fingerprintStoredReport } from '../grouping/fingerprint-stored-report.ts';
import { findLateMapGroup, mergeLateMapGroup, type LateMapGroup } from './merge-after-late-map.ts';
import { restartDelayMs, startJobRunner, type JobRunner } from '../jobs/job-runner.ts';

/** After this many groups, or this many ids, the job pauses so that reports are processed. */
const groupsPerStep = 8;
const idsPerStep = 5_000;
const pauseMs = 20;
/** After this many pauses, another project gets a turn. */
const pausesPerTurn = 25;
/** After this many processes have crashed while working on a project, its culprits stay as they are. */
const maxBegun = 6;

interface Renewal {
  id: number;
  before: string | null;
  culprit: string | null;
  late: LateMapGroup | null;
}

/** A range of group ids, from the highest to the lowest. */
interface IdRange {
  from: number;
  to: number;
}

/** The progress of one project. */
interface RenewalProgress {
  row: StaleCulpritsRecord;
  left: readonly IdRange[];
  /** When its last turn ended, in milliseconds since 1970. */
  turnedAt: number;
}

/**
 * Updates the culprits of groups if a source map was uploaded, or function names were read, after their reports
 * arrived. Lists show and search these culprits. A group is merged if its bug has another group with the source map:
 * see `findLateMapGroup`. Work that an earlier process has started is started again, with a growing delay, because that
 * work may have crashed the process.
 */
export function startCulpritRenewal(services: Services): JobRunner {
  const { store, log, now } = services;
  const table = store.model.tables.stale_culprits;
  const progressByProject = new Map<number, RenewalProgress>();
  const startedAt = now();
  /** Projects whose row in the log says that this process has started them. */
  const marked = new Set<number>();
  const runner = startJobRunner(services, {
    table,
    maxConcurrent: 1,
    dueAt,
    laneOf: ({ id }) => id,
    graceMs: 0,
    run: renewProject,
    onFailure({ id }, error) {
      log.warn({ err: error, project_id: id }, 'the culprits of a project could not be renewed; the job is retried');
    },
  });
  return {
    async stop() {
      await runner.stop();
      await unmark();
    },
  };

  function dueAt({ id, due_at, begun = 0 }: StaleCulpritsRecord): number {
    const notBefore = marked.has(id) ? 0 : startedAt + restartDelayMs(begun);
    return Math.max(due_at, notBefore, progressByProject.get(id)?.turnedAt ?? 0);
  }

  /** Marks a project as started before its reports are read. Resolves with null if it has no work, or is given up. */
  async function begin({ id }: StaleCulpritsRecord): Promise<StaleCulpritsRecord | null> {
    const row = await store.commit((transaction) => markBegun(transaction, id));
    if (row) marked.add(id);
    if (row !== undefined) return row;
    log.warn(
      { project_id: id },
      `the culprits of a project are not renewed: the server has crashed ${maxBegun} times while renewing them`,
    );
    return null;
  }

  /** Reverts the marks: work that a regular stop interrupts has not crashed the process. */
  async function unmark(): Promise<void> {
    if (marked.size === 0) return;
    await store
      .commit((transaction) => {
        for (const id of marked) {
          const row = transaction.get('stale_culprits', id);
          if (row?.begun) transaction.put('stale_culprits', { ...row, begun: row.begun - 1 });
        }
      })
      .catch((error: unknown) => log.warn({ err: error }, 'a regular stop could not be recorded'));
  }

  async function renewProject(known: StaleCulpritsRecord, stop: AbortSignal): Promise<void> {
    const row = marked.has(known.id) ? known : await begin(known);
    if (!row) return;
    const progress = progressOf(row);
    progressByProject.set(row.id, progress);
    try {
      for (let pauses = 0; progress.left.length > 0 && pauses < pausesPerTurn; pauses++) {
        await step(progress, stop);
        await pause(pauseMs, stop);
        if (stop.aborted) return;
      }
    } finally {
      progress.turnedAt = now();
    }
    if (progress.left.length > 0) return;
    await store.commit((transaction) => {
      // If another source map was uploaded in the meantime, the row has changed and the renewal starts again.
      if (transaction.get('stale_culprits', row.id) === row) transaction.remove('stale_culprits', row.id);
    });
    if (!table.get(row.id)) marked.delete(row.id);
    for (const id of progressByProject.keys()) if (!table.get(id)) progressByProject.delete(id);
  }

  /**
   * Starts with the newest groups, which users look at. If another source map is uploaded during a renewal, the renewal
   * continues to the oldest group. Then it covers the groups that it had passed, and the new ones.
   */
  function progressOf(row: StaleCulpritsRecord): RenewalProgress {
    const known = progressByProject.get(row.id);
    if (known?.row === row) return known;
    const at = known?.left[0]?.from ?? 0;
    const left = [
      { from: at, to: 1 },
      { from: row.groups_before, to: at + 1 },
    ].filter(({ from, to }) => from >= to);
    return { row, left, turnedAt: known?.turnedAt ?? 0 };
  }

  async function step(progress: RenewalProgress, stop: AbortSignal): Promise<void> {
    const { ids, left } = nextStale(progress);
    const renewed: Renewal[] = [];
    const failures: { id: number; error: unknown }[] = [];
    for (const id of ids) {
      // A group can take seconds. The renewal starts again after the restart.
      if (stop.aborted) return;
      try {
        const change = await renewalOf(id);
        if (change) renewed.push(change);
      } catch (error) {
        failures.push({ id, error });
      }
    }
    if (renewed.length > 0) await write(renewed);
    // Groups that can't be read now are retried after the rest.
    progress.left = [...left, ...failures.map(({ id }) => ({ from: id, to: id }))];
    if (failures[0]) throw failures[0].error;
  }

  /** Returns the next groups of a renewal, and the ranges that remain after them. */
  function nextStale({ row, left }: RenewalProgress): { ids: number[]; left: IdRange[] } {
    const ids: number[] = [];
    const ranges = left.map((range) => ({ ...range }));
    for (let checked = 0; checked < idsPerStep && ids.length < groupsPerStep; checked++) {
      const [range] = ranges;
      if (!range) break;
      const id = range.from--;
      if (range.from < range.to) ranges.shift();
      if (isStale(id, row)) ids.push(id);
    }
    return { ids, left: ranges };
  }

  function isStale(groupId: number, { id, releases }: StaleCulpritsRecord): boolean {
    const { groups } = store.model;
    if (groups.snapshot(groupId)?.projectId !== id) return false;
    const release = releases && groups.own(groupId)?.lastRelease;
    return releases === null || (release ? releases.includes(release) : false);
  }

  /** Resolves with null if nothing changes, or if the latest report gives no lasting result. */
  async function renewalOf(id: number): Promise<Renewal | null> {
    const group = store.model.groups.own(id);
    const latest = group && (await fingerprintStoredReport(services, group, group.reportPointers.all().at(-1)));
    if (!latest) return null;
    const { culprit: before } = group;
    const { culprit } = latest;
    const late = await findLateMapGroup(services, group, latest);
    return culprit === before && late === null ? null : { id, before, culprit, late };
  }

  async function write(renewed: readonly Renewal[]): Promise<void> {
    await store.commit((transaction) => {
      for (const { id, before, culprit, late } of renewed) {
        if (late) mergeLateMapGroup(transaction, late);
        if (culprit === before) continue;
        const group = transaction.group(id);
        // A report that arrived in the meantime has set a newer culprit.
        if (group && transaction.model.groups.own(id)?.culprit === before) transaction.setCulprit(group, culprit);
      }
    });
  }
}

/** Returns null if the project has no work, or undefined if it was started too often and is given up. */
function markBegun(transaction: Transaction, id: number): StaleCulpritsRecord | null | undefined {
  const row = transaction.get('stale_culprits', id);
  if (!row) return null;
  const { begun = 0 } = row;
  if (begun >= maxBegun) {
    transaction.remove('stale_culprits', id);
    return undefined;
  }
  const next = { ...row, begun: begun + 1 };
  transaction.put('stale_culprits', next);
  return next;
}
