import { readStoredReport } from '../report/stored-report.ts';
import type { Services } from '../services.ts';
import { fingerprintReport } from '../grouping/fingerprint-report.ts';
import { symbolicateReport } from '../symbolication/symbolicate-report.ts';
import { parseStack } from '../stack/parse-stack.ts';
import type { Transaction } from '../store/log/transaction.ts';
import type { GroupState } from '../store/model/group-state.ts';
import type { StaleCulpritsRecord } from '../store/records/records.ts';
import { restartDelayMs, pause, startWorkers, type Workers } from '../jobs/workers.ts';

/** After so many groups, or ids of others, reports have their turn. */
const groupsAtOnce = 8;
const idsAtOnce = 5_000;
const pauseMs = 20;
/** After so many pauses other projects have theirs. */
const pausesATurn = 25;
/** After this many processes have died during its walk, a project keeps the culprits that it has. */
const maxBegun = 6;

interface Renewed {
  id: number;
  before: string | null;
  culprit: string | null;
}

/** Ids of groups, from the highest down. */
interface Ids {
  from: number;
  to: number;
}

/** How far it has come with a project. */
interface Walk {
  row: StaleCulpritsRecord;
  left: readonly Ids[];
  /** When its last turn ended. */
  turnedAt: number;
}

/**
 * Has lists and searches know what a source map tells that came after the reports: where their groups happened. What an
 * earlier process has begun is begun again; later each time, for the process may have died of it.
 */
export function startCulpritRenewal(services: Services): Workers {
  const { store, log, now } = services;
  const table = store.model.tables.stale_culprits;
  const walks = new Map<number, Walk>();
  const startedAt = now();
  /** Projects that are marked as begun by this process. */
  const marked = new Set<number>();
  const workers = startWorkers(services, {
    table,
    maxConcurrent: 1,
    // Who has had a turn waits behind those who have not.
    dueAt,
    laneOf: ({ id }) => id,
    graceMs: 0,
    run: renewProject,
    onFailure({ id }, error) {
      log.warn({ err: error, project_id: id }, 'a late source map could not be applied to lists; it is tried again');
    },
  });
  return {
    async stop() {
      await workers.stop();
      await unmark();
    },
  };

  function dueAt({ id, due_at, begun = 0 }: StaleCulpritsRecord): number {
    const notBefore = marked.has(id) ? 0 : startedAt + restartDelayMs(begun);
    return Math.max(due_at, notBefore, walks.get(id)?.turnedAt ?? 0);
  }

  /** Marks a project as begun before anything of it is read. Null: there is nothing to do for it any more. */
  async function begin({ id }: StaleCulpritsRecord): Promise<StaleCulpritsRecord | null> {
    const row = await store.commit((transaction) => markBegun(transaction, id));
    if (row) marked.add(id);
    if (row !== undefined) return row;
    log.warn(
      { project_id: id },
      `a late source map is not applied to lists: the server ended ${maxBegun} times while it was being applied`,
    );
    return null;
  }

  /** Work that a stop cuts off did not end the process. */
  async function unmark(): Promise<void> {
    if (marked.size === 0) return;
    await store
      .commit((transaction) => {
        for (const id of marked) {
          const row = transaction.get('stale_culprits', id);
          if (row?.begun) transaction.put('stale_culprits', { ...row, begun: row.begun - 1 });
        }
      })
      .catch((error: unknown) => log.warn({ err: error }, 'a stop in good order could not be noted'));
  }

  async function renewProject(known: StaleCulpritsRecord, stop: AbortSignal): Promise<void> {
    const row = marked.has(known.id) ? known : await begin(known);
    if (!row) return;
    const walk = walkOf(row);
    walks.set(row.id, walk);
    try {
      for (let pauses = 0; walk.left.length > 0 && pauses < pausesATurn; pauses++) {
        await step(walk);
        await pause(pauseMs, stop);
        if (stop.aborted) return;
      }
    } finally {
      walk.turnedAt = now();
    }
    if (walk.left.length > 0) return;
    await store.commit((transaction) => {
      // Another map came meanwhile: all of it again.
      if (transaction.get('stale_culprits', row.id) === row) transaction.remove('stale_culprits', row.id);
    });
    if (!table.get(row.id)) marked.delete(row.id);
    for (const id of walks.keys()) if (!table.get(id)) walks.delete(id);
  }

  /** Newest first: they are what people look at. Where another map comes meanwhile it goes on, and then round again. */
  function walkOf(row: StaleCulpritsRecord): Walk {
    const known = walks.get(row.id);
    if (known?.row === row) return known;
    const at = known?.left[0]?.from ?? 0;
    const left = [
      { from: at, to: 1 },
      { from: row.groups_before, to: at + 1 },
    ].filter(({ from, to }) => from >= to);
    return { row, left, turnedAt: known?.turnedAt ?? 0 };
  }

  async function step(walk: Walk): Promise<void> {
    const { ids, left } = nextStale(walk);
    const renewed: Renewed[] = [];
    const failures: { id: number; error: unknown }[] = [];
    for (const id of ids) {
      try {
        const change = await renewedCulprit(id);
        if (change) renewed.push(change);
      } catch (error) {
        failures.push({ id, error });
      }
    }
    if (renewed.length > 0) await write(renewed);
    // What can't be read now waits behind the rest.
    walk.left = [...left, ...failures.map(({ id }) => ({ from: id, to: id }))];
    if (failures[0]) throw failures[0].error;
  }

  /** The next groups of a walk, and what is left behind them. */
  function nextStale({ row, left }: Walk): { ids: number[]; left: Ids[] } {
    const ids: number[] = [];
    const ranges = left.map((range) => ({ ...range }));
    for (let looked = 0; looked < idsAtOnce && ids.length < groupsAtOnce; looked++) {
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
    if (groups.standing(groupId)?.projectId !== id) return false;
    const release = releases && groups.get(groupId)?.lastRelease;
    return releases === null || (release ? releases.includes(release) : false);
  }

  async function renewedCulprit(id: number): Promise<Renewed | null> {
    const group = store.model.groups.get(id);
    const culprit = group && (await culpritOf(group));
    return culprit === undefined || culprit === group?.culprit ? null : { id, before: group?.culprit ?? null, culprit };
  }

  /** Undefined: no report is kept that would tell. */
  async function culpritOf({ id, projectId, kept }: GroupState): Promise<string | null | undefined> {
    const latest = kept.places().at(-1);
    const body = latest && (await store.readBody(id, latest.id));
    if (!body) return undefined;
    const facts = readStoredReport(body, latest.at);
    const report = { facts, stack: parseStack(facts.stacktrace ?? '') };
    const symbolicated = await symbolicateReport(services, projectId, report);
    // What a damaged map told before stays.
    return symbolicated.isDamaged ? undefined : fingerprintReport(report, symbolicated).culprit;
  }

  async function write(renewed: readonly Renewed[]): Promise<void> {
    await store.commit((transaction) => {
      for (const { id, before, culprit } of renewed) {
        const group = transaction.group(id);
        // A report that came meanwhile has told it.
        if (group && transaction.model.groups.get(id)?.culprit === before) transaction.setCulprit(group, culprit);
      }
    });
  }
}

/** Null: there is nothing to do now. Undefined: it was begun too often, and is not any more. */
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
