import type { Log } from './driver.ts';
import type { Entry, Written } from '../records/entry.ts';
import type { LogPointer, StoredReports } from '../model/stored-reports.ts';
import type { Ledger } from './ledger.ts';
import { readReportBodies } from './read-report-bodies.ts';
import { stateEntries } from '../model/state-entries.ts';
import type { Timing } from './timing.ts';

/** A slice of the state is a batch of about this many bytes, that many reports, or as long in the making. */
const maxSliceBytes = 768 * 1024;
const maxSliceReports = 256;
const maxSliceMs = 3;
/** After dropping this many batches, checks whether the server is stopping. */
const maxDroppedAtOnce = 256;

/** A stored report to be rewritten. */
interface ReportToCopy extends LogPointer {
  groupId: number;
}

export interface CompactionOptions {
  /** Tells the operator. */
  warn: (error: unknown, message: string) => void;
  isStopped: () => boolean;
  timing: Timing;
}

/**
 * Rewrites the whole state as entries, one slice at a time between batches of transactions, and drops the earlier log.
 * Transactions continue and are in the same log, so a compaction may stop or be killed at any moment: until its last
 * entry, what it wrote only repeats known state. Resolves with the size of the state, or null if it was stopped. Rejects
 * if a slice can't be read or written.
 */
export async function compact(ledger: Ledger, log: Log, options: CompactionOptions): Promise<number | null> {
  const first = await ledger.beginGeneration();
  const before = log.sizeBytes;
  let foreignBytes = 0;
  let end = before;
  for await (const make of stateSlices(ledger, log, options)) {
    await ledger.write(() => {
      foreignBytes += log.sizeBytes - end;
      return make();
    });
    end = log.sizeBytes;
  }
  if (options.isStopped()) return null;
  await ledger.write(() => [{ entry: { kind: 'generation', first }, body: null }]);
  const stateBytes = end - before - foreignBytes;
  await dropOld(ledger, log, options);
  return stateBytes;
}

/**
 * Returns the whole state in slices. Call each slice once, between two batches and before requesting the next one: it
 * describes the state at that point of the log. Ends early if it is stopped.
 */
export async function* stateSlices(
  ledger: Ledger,
  log: Log,
  options: CompactionOptions,
): AsyncGenerator<() => Written[]> {
  const { timing } = options;
  const state = stateEntries(ledger.model);
  let toCopy: ReportToCopy[] = [];
  const progress = { isComplete: false };
  while (!progress.isComplete || toCopy.length > 0) {
    if (options.isStopped()) return;
    const copied = reportsOfSlice(toCopy);
    toCopy = toCopy.slice(copied.length);
    const bodies = await readReportBodies(log, copied);
    let madeMs = 0;
    yield () => {
      const begun = timing.now();
      const slice = new Slice();
      for (const place of copied) slice.copy(ledger, place, bodies.get(place) ?? null, options.warn);
      while (!progress.isComplete && slice.hasRoom(timing.now() - begun, toCopy.length)) {
        const step = state.next();
        if (step.done) progress.isComplete = true;
        else if (Array.isArray(step.value)) slice.add(step.value);
        else for (const place of step.value.places) toCopy.push({ ...place, groupId: step.value.groupId });
      }
      madeMs = timing.now() - begun;
      return slice.written;
    };
    // At least half of the time is left to concurrent reports.
    if (timing.now() - ledger.busyAt < 100) await timing.sleep(2 * madeMs);
  }
}

/** Drops the batches before the last compaction. What a kill leaves of them is dropped after the next start. */
export async function dropOld({ compactionState }: Ledger, log: Log, { isStopped }: CompactionOptions): Promise<void> {
  while (compactionState.firstNumber < compactionState.generation && !isStopped()) {
    const next = Math.min(compactionState.generation, compactionState.firstNumber + maxDroppedAtOnce);
    await log.dropBefore(next);
    compactionState.firstNumber = next;
  }
}

/** Returns as many reports as fit into one slice. */
function reportsOfSlice(places: readonly ReportToCopy[]): ReportToCopy[] {
  let bytes = 0;
  const end = places.findIndex((place, index) => {
    bytes += place.length;
    return index >= maxSliceReports || (bytes > maxSliceBytes && index > 0);
  });
  return end < 0 ? [...places] : places.slice(0, end);
}

class Slice {
  readonly written: Written[] = [];
  #bytes = 0;
  #kept: { groupId: number; reports: StoredReports } | null = null;

  add(entries: readonly Entry[]): void {
    for (const entry of entries) {
      this.written.push({ entry, body: null });
      this.#bytes += 'packed' in entry ? entry.packed.length : 200;
    }
  }

  /** Rewrites a report, if it is still stored at the position from which its bytes were read. */
  copy(ledger: Ledger, place: ReportToCopy, body: Buffer | null, warn: CompactionOptions['warn']): void {
    const { id, groupId: group_id, at } = place;
    // Reports of one group are consecutive, and opening a packed group costs more than looking them all up.
    if (this.#kept?.groupId !== group_id)
      this.#kept = { groupId: group_id, reports: ledger.model.groups.storedReports(group_id) };
    const kept = this.#kept.reports.find(id);
    if (kept?.position !== place.position || kept.offset !== place.offset) return;
    if (body) {
      this.written.push({ entry: { kind: 'kept', id, group_id, at, body_bytes: body.length }, body });
      this.#bytes += body.length;
    } else {
      warn(new Error(`Report ${id} of group ${group_id} is damaged.`), 'a damaged report is no longer kept');
      this.written.push({ entry: { kind: 'forget', id, group_id }, body: null });
    }
  }

  hasRoom(ms: number, reports: number): boolean {
    return ms < maxSliceMs && this.#bytes < maxSliceBytes && reports < maxSliceReports;
  }
}
