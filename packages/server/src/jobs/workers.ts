import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../store/store.ts';
import type { Table } from '../store/records/table.ts';

/** Rows that are due later are looked for so often. */
const lookMs = 1_000;
/** What rejects, as it does when the storage fails, is tried again after so long. */
const retryMs = 2_000;

/** What is to be done with rows of a table, until each says that it is done. */
export interface WorkerOptions<Row> {
  table: Table<Row & { id: number }>;
  maxConcurrent: number;
  /** When a row is to be worked on: milliseconds since 1970; Infinity: not as it stands. What has been due longest is first. */
  dueAt(row: Row): number;
  /** Of the rows of one lane one is worked on at a time. */
  laneOf(row: Row): number | string;
  /** Whether a row may be begun, its lane aside; asked again whenever another one has ended. Absent: always. */
  hasRoom?(row: Row): boolean;
  /** What is under way when the server stops may go on for so long. */
  graceMs: number;
  /** Ends with another row in its place, or with none. */
  run(row: Row, stop: AbortSignal): Promise<void>;
  /** Is told what `run` rejects with, which is tried again in a while, behind what else is due by then. */
  onFailure(row: Row, error: unknown): void;
}

interface Waiting<Row> {
  row: Row;
  lane: number | string;
  /** Since when: milliseconds since 1970. */
  since: number;
}

/** What works beside the requests. */
export interface Workers {
  /** Begins nothing more, gives up what takes long, and resolves once nothing is under way. */
  stop(): Promise<void>;
}

/**
 * Works on what stands in a table of the log, also on what an earlier process left there. It follows the log, so that
 * nobody who writes there waits for it; a batch that changes nothing in the table costs a comparison.
 */
export function startWorkers<Row extends { id: number }>(
  { store, now }: { store: Pick<Store, 'follow'>; now: () => number },
  { table, maxConcurrent, dueAt, laneOf, hasRoom = () => true, graceMs, run, onFailure }: WorkerOptions<Row>,
): Workers {
  const stopping = new AbortController();
  // Whatever is under way listens to it.
  setMaxListeners(maxConcurrent * 4, stopping.signal);
  const running = new Map<number | string, Promise<void>>();
  /** When rows failed that are as they were then: they wait their turn again. */
  const failedAt = new WeakMap<Row, number>();
  let isStopping = false;
  let seen = -1;
  /** When the next one is due of those that were found to be due later. */
  let nextDueAt = Infinity;

  function look(): void {
    const at = now();
    if (isStopping || running.size >= maxConcurrent || (table.version === seen && at < nextDueAt)) return;
    seen = table.version;
    nextDueAt = Infinity;
    // Those that are begun may leave no room for others that were found with them: then there is some for yet others.
    for (let isFull = true; isFull && running.size < maxConcurrent;) {
      const found = longestDue(at, maxConcurrent - running.size);
      const before = running.size;
      for (const { row, lane } of found) if (hasRoom(row)) begin(row, lane);
      isFull = running.size > before && running.size - before < found.length;
    }
  }

  /** Of each free lane the row that has been due longest; of these so many, again those that wait longest. */
  function longestDue(at: number, most: number): Waiting<Row>[] {
    const found: Waiting<Row>[] = [];
    for (const row of table.values()) {
      const due = dueAt(row);
      if (due > at) {
        nextDueAt = Math.min(nextDueAt, due);
        continue;
      }
      const since = Math.max(due, failedAt.get(row) ?? 0);
      if (found.length === most && since >= (found.at(-1)?.since ?? 0)) continue;
      const lane = laneOf(row);
      const rival = found.findIndex((other) => other.lane === lane);
      if (running.has(lane) || (found[rival]?.since ?? Infinity) <= since || !hasRoom(row)) continue;
      if (rival >= 0) found.splice(rival, 1);
      const place = found.findIndex((other) => other.since > since);
      found.splice(place < 0 ? found.length : place, 0, { row, lane, since });
      if (found.length > most) found.pop();
    }
    return found;
  }

  function begin(row: Row, lane: number | string): void {
    const work = run(row, stopping.signal).catch(async (error: unknown) => {
      if (isStopping) return;
      onFailure(row, error);
      failedAt.set(row, now());
      await pause(retryMs, stopping.signal);
    });
    running.set(
      lane,
      work.then(() => {
        running.delete(lane);
        // Whoever waited for a turn changed nothing that would have it looked for.
        seen = -1;
        look();
      }),
    );
  }

  const unfollow = store.follow(look);
  const timer = setInterval(look, lookMs).unref();
  look();
  return {
    async stop() {
      isStopping = true;
      unfollow();
      clearInterval(timer);
      const late = setTimeout(() => stopping.abort(), graceMs);
      await Promise.all(running.values());
      clearTimeout(late);
    },
  };
}

/** The first restart goes on at once: most processes end for other reasons than the work they do. */
const firstDelayMs = 30_000;

/**
 * How long to wait before work is begun that processes have begun `begun` times, each of which ended before the work did.
 * Work that kills its process would otherwise kill it again at every start.
 */
export function restartDelayMs(begun: number): number {
  return begun <= 1 ? 0 : firstDelayMs * 4 ** (begun - 2);
}

/** Resolves after so long, or at once when it is to stop. */
export async function pause(ms: number, stop: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: stop }).catch(() => undefined);
}
