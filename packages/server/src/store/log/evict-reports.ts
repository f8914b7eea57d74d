import { setImmediate } from 'node:timers/promises';
import { freePartAfterEviction, evictionStart } from '../../retention/retention-policy.ts';
import type { GroupTable } from '../model/group-table.ts';
import type { Ledger } from './ledger.ts';
import type { Timing } from '../../time/timing.ts';

/** The time after which reading stored reports lets other work run. */
const readingMs = 3;
/** Parts of a period in which bytes are counted. */
const parts = 1_024;
/** A period is short enough if deleting all of it deletes at most this share too much. */
const precision = 1 / 16;

export interface EvictionOptions {
  /** Bytes that the stored reports of a project may take. */
  projectBytes: number;
  /** Groups in one batch. */
  groupsAtOnce: number;
  timing: Timing;
  isStopped: () => boolean;
}

/** Returns the projects whose oldest reports are due for deletion. */
export function projectsToEvict({ model }: Ledger, projectBytes: number): number[] {
  return model.groups.sizes.projectsStoring(projectBytes * evictionStart);
}

/**
 * Deletes the oldest stored reports of projects that store nearly as much as they may. Counts of groups stay. Resolves
 * with the number of deleted reports.
 */
export async function evictReports(ledger: Ledger, options: EvictionOptions): Promise<number> {
  let evicted = 0;
  for (const projectId of projectsToEvict(ledger, options.projectBytes))
    evicted += await evictFrom(ledger, projectId, options);
  return evicted;
}

async function evictFrom(ledger: Ledger, projectId: number, options: EvictionOptions): Promise<number> {
  const { groups } = ledger.model;
  const { shifts } = groups;
  const excess = groups.sizes.storedBytesOf(projectId) - options.projectBytes * (1 - freePartAfterEviction);
  const ids = Array.from(groups.slotsOf(projectId), (slot) => groups.columns.ids[slot] ?? 0);
  const before = await findTime(groups, ids, excess, options.timing);
  let evicted = 0;
  for (const group_ids of chunks(groups, ids, before, options.groupsAtOnce)) {
    if (options.isStopped()) break;
    await ledger.write(() => {
      // If a clock was corrected since, other reports are from before this time now.
      if (groups.shifts !== shifts) return [];
      for (const id of group_ids) for (const { at } of groups.reportPointers(id).all()) if (at < before) evicted++;
      return [{ entry: { kind: 'expire', before, group_ids }, body: null }];
    });
  }
  return evicted;
}

/** Yields the groups with a stored report from before a time. */
function* chunks(groups: GroupTable, ids: readonly number[], before: number, atOnce: number): Generator<number[]> {
  let found: number[] = [];
  for (const id of ids) {
    const slot = groups.slotOf(id);
    if (slot >= 0 && groups.oldestStoredAt(slot) < before) found.push(id);
    if (found.length < atOnce) continue;
    yield found;
    found = [];
  }
  if (found.length > 0) yield found;
}

/**
 * Resolves with a time: the reports from before it take about `excess` bytes, and no fewer. Counts the bytes in parts
 * of a period, then in parts of the part that contains the time: a list of all reports would take too much memory.
 */
async function findTime(groups: GroupTable, ids: readonly number[], excess: number, timing: Timing): Promise<number> {
  let [from, until] = periodOf(groups, ids);
  let bytesBefore = 0;
  for (;;) {
    const width = Math.max(1, Math.ceil((until - from) / parts));
    const bytes = await countBytesByAge(groups, ids, { from, until, width }, timing);
    let part = 0;
    while (part < parts - 1 && bytesBefore + (bytes[part] ?? 0) < excess) bytesBefore += bytes[part++] ?? 0;
    from += part * width;
    until = from + width;
    if (width === 1 || (bytes[part] ?? 0) <= excess * precision) return until;
  }
}

/** Returns a period that contains all stored reports. */
function periodOf(groups: GroupTable, ids: readonly number[]): [from: number, until: number] {
  let from = Infinity;
  let until = 0;
  for (const id of ids) {
    const slot = groups.slotOf(id);
    if (slot < 0) continue;
    from = Math.min(from, groups.oldestStoredAt(slot));
    until = Math.max(until, (groups.columns.lastSeen[slot] ?? 0) + 1);
  }
  return [Math.min(from, until), until];
}

/** Counts the bytes of stored reports in each part of a period, `width` milliseconds long. */
async function countBytesByAge(
  groups: GroupTable,
  ids: readonly number[],
  { from, until, width }: { from: number; until: number; width: number },
  timing: Timing,
): Promise<Float64Array> {
  const bytes = new Float64Array(parts);
  let startedAt = timing.now();
  for (const id of ids) {
    for (const { at, length } of groups.reportPointers(id).all()) {
      if (at < from || at >= until) continue;
      const part = Math.floor((at - from) / width);
      bytes[part] = (bytes[part] ?? 0) + length;
    }
    if (timing.now() - startedAt < readingMs) continue;
    await setImmediate();
    startedAt = timing.now();
  }
  return bytes;
}
