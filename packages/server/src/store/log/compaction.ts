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
/** So many batches are dropped before it is looked whether the server stops. */
const maxDroppedAtOnce = 256;

/** A kept report that is to be written again. */
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
 * Writes the whole state again as entries, a slice between two batches of decisions at a time, and drops what came
 * before. Whatever is decided meanwhile stands in the same log, so it may end or be killed at any moment: until its
 * last entry all that it wrote repeats what is known. Rejects if a slice can't be read or written.
 * Resolves with the bytes of the state, or null if it was stopped.
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
 * The whole state in slices. Each is to be made once, before the next one is asked for and in a row with the decisions:
 * what it says is true at that place among them. Ends early if it is stopped.
 */
export async function* stateSlices(
  ledger: Ledger,
  log: Log,
  options: CompactionOptions,
): AsyncGenerator<() => Written[]> {
  const { timing } = options;
  const state = stateEntries(ledger.model);
  let toCopy: ReportToCopy[] = [];
  const progress = { isTold: false };
  while (!progress.isTold || toCopy.length > 0) {
    if (options.isStopped()) return;
    const copied = reportsOfSlice(toCopy);
    toCopy = toCopy.slice(copied.length);
    const bodies = await readReportBodies(log, copied);
    let madeMs = 0;
    yield () => {
      const begun = timing.now();
      const slice = new Slice();
      for (const place of copied) slice.copy(ledger, place, bodies.get(place) ?? null, options.warn);
      while (!progress.isTold && slice.hasRoom(timing.now() - begun, toCopy.length)) {
        const step = state.next();
        if (step.done) progress.isTold = true;
        else if (Array.isArray(step.value)) slice.add(step.value);
        else for (const place of step.value.places) toCopy.push({ ...place, groupId: step.value.groupId });
      }
      madeMs = timing.now() - begun;
      return slice.written;
    };
    // Whoever reports meanwhile has at least half of the time.
    if (timing.now() - ledger.busyAt < 100) await timing.sleep(2 * madeMs);
  }
}

/** Drops what was written again. What a kill leaves of it is dropped at the next start. */
export async function dropOld({ compactionState }: Ledger, log: Log, { isStopped }: CompactionOptions): Promise<void> {
  while (compactionState.firstNumber < compactionState.generation && !isStopped()) {
    const next = Math.min(compactionState.generation, compactionState.firstNumber + maxDroppedAtOnce);
    await log.dropBefore(next);
    compactionState.firstNumber = next;
  }
}

/** As many reports as one slice holds. */
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

  /** Repeats a kept report, if it is still kept where its bytes were read. */
  copy(ledger: Ledger, place: ReportToCopy, body: Buffer | null, warn: CompactionOptions['warn']): void {
    const { id, groupId: group_id, at } = place;
    // Those of one group come one after the other, and opening a group that is packed costs more than all of them.
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
