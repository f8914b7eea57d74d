import { readKeptReport } from '../report/kept-report.ts';
import type { Services } from '../services.ts';
import { identify } from '../sources/identify.ts';
import { parseStack } from '../stack/parse-stack.ts';
import type { GroupState } from '../store/group-state.ts';
import type { StaleCulpritsRecord } from '../store/records.ts';
import { pause, startWorkers, type Workers } from '../store/workers.ts';

/** After so many groups reports have their turn. */
const groupsAtOnce = 8;
const pauseMs = 20;

interface Renewed {
  id: number;
  before: string | null;
  culprit: string | null;
}

/**
 * Has lists and searches know what a source map tells that came after the reports: where their groups happened. What an
 * earlier process has begun is begun again.
 */
export function startCulpritRenewal(services: Services): Workers {
  const { store, log } = services;
  return startWorkers(services, {
    table: store.model.tables.stale_culprits,
    mostAtOnce: 1,
    dueAt: ({ due_at }) => due_at,
    laneOf: ({ id }) => id,
    graceMs: 0,
    run: renewProject,
    onFailure({ id }, error) {
      log.warn({ err: error, project_id: id }, 'a late source map could not be applied to lists; it is tried again');
    },
  });

  async function renewProject(row: StaleCulpritsRecord, stop: AbortSignal): Promise<void> {
    const ids = staleGroups(row);
    while (ids.length > 0 && !stop.aborted) {
      const renewed: Renewed[] = [];
      for (const id of ids.splice(0, groupsAtOnce)) {
        const change = await renewedCulprit(id);
        if (change) renewed.push(change);
      }
      if (renewed.length > 0) await write(renewed);
      if (ids.length > 0) await pause(pauseMs, stop);
    }
    if (stop.aborted) return;
    await store.commit((draft) => {
      // Another map came meanwhile: all of it again.
      if (draft.get('stale_culprits', row.id) === row) draft.remove('stale_culprits', row.id);
    });
  }

  /** Newest first: they are what people look at. */
  function staleGroups({ id, groups_before, releases }: StaleCulpritsRecord): number[] {
    const { groups } = store.model;
    const stale = [];
    for (const groupId of groups.ids()) {
      if (groupId > groups_before || groups.standing(groupId)?.projectId !== id) continue;
      const release = releases && groups.get(groupId)?.lastRelease;
      if (releases === null || (release && releases.includes(release))) stale.push(groupId);
    }
    return stale.toSorted((a, b) => b - a);
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
    const facts = readKeptReport(body, latest.at);
    const { culprit } = await identify(services, projectId, { facts, stack: parseStack(facts.stacktrace ?? '') });
    return culprit;
  }

  async function write(renewed: readonly Renewed[]): Promise<void> {
    await store.commit((draft) => {
      for (const { id, before, culprit } of renewed) {
        const group = draft.group(id);
        // A report that came meanwhile has told it.
        if (group && draft.model.groups.get(id)?.culprit === before) draft.setCulprit(group, culprit);
      }
    });
  }
}
