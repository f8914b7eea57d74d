import type { Log } from './storage-driver.ts';
import type { Entry, Written } from '../records/entry.ts';
import type { ReportPointers } from '../model/report-pointers.ts';
import type { LogPointer } from '../model/log-pointer.ts';
import type { Ledger } from './ledger.ts';
import { readReportBodies } from './read-report-bodies.ts';
import { stateEntries } from '../model/state-entries.ts';
import type { Timing } from '../../time/timing.ts';

/** A slice of the state is one batch. It is limited by its bytes, its reports and the time that it takes to make. */
const maxSliceBytes = 768 * 1024;
const maxSliceReports = 256;
const maxSliceMs = 3;
/** The assumed size of a row. A high estimate, because rows take more time to write than their bytes suggest. */
const bytesOfRow = 800;
/** Batches to drop between two checks whether the server is stopping. */
const maxDroppedAtOnce = 256;

/** A stored report that compaction writes again. */
interface ReportToCopy extends LogPointer {
  groupId: number;
}

export interface CompactionOptions {
  /** Warns the operator. */
  warn: (error: unknown, message: string) => void;
  isStopped: () => boolean;
  timing: Timing;
}

/**
 * Writes the whole state to the log again, one slice between two batches of transactions, and drops everything before
 * it. Transactions that run during compaction are appended to the same log. Compaction can therefore be stopped or
 * killed at any moment: until its last entry, everything it has written only repeats known state. Rejects if a slice
 * can't be read or written. Resolves with the size of the state in bytes, or null if it was stopped.
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
 * Yields the whole state in slices. Each yielded function must be called once, before the next slice is requested, and
 * between two batches: the slice is correct only at that position among the transactions. Ends early if the server
 * stops.
 */
export async function* stateSlices(
  ledger: Ledger,
  log: Log,
  options: CompactionOptions,
): AsyncGenerator<() => Written[]> {
  const { timing } = options;
  const state = stateEntries(ledger.model);
  let toCopy: ReportToCopy[] = [];
  const progress = { isDone: false };
  while (!progress.isDone || toCopy.length > 0) {
    if (options.isStopped()) return;
    const copied = reportsOfSlice(toCopy);
    toCopy = toCopy.slice(copied.length);
    const bodies = await readReportBodies(log, copied);
    let madeMs = 0;
    yield () => {
      const startedAt = timing.now();
      const slice = new Slice();
      for (const report of copied) slice.copy(ledger, report, bodies.get(report) ?? null, options.warn);
      while (!progress.isDone && slice.hasRoom(timing.now() - startedAt, toCopy.length)) {
        const step = state.next();
        if (step.done) progress.isDone = true;
        else if (Array.isArray(step.value)) slice.add(step.value);
        else for (const report of step.value.pointers) toCopy.push({ ...report, groupId: step.value.groupId });
      }
      madeMs = timing.now() - startedAt;
      return slice.written;
    };
    // While reports come in, leave transactions two thirds of the time.
    if (timing.now() - ledger.busyAt < 100) await timing.sleep(2 * madeMs);
  }
}

/** Drops the batches whose state was written again. If a kill interrupts this, the next start drops the rest. */
export async function dropOld({ compactionState }: Ledger, log: Log, { isStopped }: CompactionOptions): Promise<void> {
  while (compactionState.firstNumber < compactionState.generation && !isStopped()) {
    const next = Math.min(compactionState.generation, compactionState.firstNumber + maxDroppedAtOnce);
    await log.dropBefore(next);
    compactionState.firstNumber = next;
  }
}

/** Returns the first reports, up to the limits of one slice. */
function reportsOfSlice(reports: readonly ReportToCopy[]): ReportToCopy[] {
  let bytes = 0;
  const end = reports.findIndex((report, index) => {
    bytes += report.length;
    return index >= maxSliceReports || (bytes > maxSliceBytes && index > 0);
  });
  return end < 0 ? [...reports] : reports.slice(0, end);
}

class Slice {
  readonly written: Written[] = [];
  #bytes = 0;
  #group: { groupId: number; reports: ReportPointers } | null = null;

  add(entries: readonly Entry[]): void {
    for (const entry of entries) {
      this.written.push({ entry, body: null });
      this.#bytes += 'packed' in entry ? entry.packed.length : bytesOfRow;
    }
  }

  /** Writes a stored report again, if it is still stored where its bytes were read. */
  copy(ledger: Ledger, report: ReportToCopy, body: Buffer | null, warn: CompactionOptions['warn']): void {
    const { id, groupId: group_id } = report;
    // The reports of a group are consecutive, and unpacking the group costs more than writing all of them.
    if (this.#group?.groupId !== group_id)
      this.#group = { groupId: group_id, reports: ledger.model.groups.reportPointers(group_id) };
    const stored = this.#group.reports.find(id);
    if (stored?.position !== report.position || stored.offset !== report.offset) return;
    if (body) {
      // The time may have been corrected since the report was read.
      const { at } = stored;
      this.written.push({ entry: { kind: 'moved', id, group_id, at, body_bytes: body.length }, body });
      this.#bytes += body.length;
    } else {
      warn(new Error(`Report ${id} of group ${group_id} is damaged.`), 'a damaged report is no longer stored');
      this.written.push({ entry: { kind: 'forget', id, group_id }, body: null });
    }
  }

  hasRoom(ms: number, reports: number): boolean {
    return ms < maxSliceMs && this.#bytes < maxSliceBytes && reports < maxSliceReports;
  }
}
