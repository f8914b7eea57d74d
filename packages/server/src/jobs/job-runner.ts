import { setMaxListeners } from 'node:events';
import type { Store } from '../store/store.ts';
import type { Table } from '../store/records/table.ts';
import { pause } from '../time/pause.ts';

/** How often rows that are due later are checked, and rows that were due while another server may hold the log. */
const checkIntervalMs = 1_000;
/** A row whose work rejects, for example because the storage fails, is retried after this time. */
const failedRowRetryMs = 2_000;

/** Work on the rows of a table. A row is worked on until `run` has replaced or removed it. */
export interface JobRunnerOptions<Row> {
  table: Table<Row & { id: number }>;
  maxConcurrent: number;
  /**
   * When a row is due, in milliseconds since 1970; Infinity if it needs no work. The row that has been due longest is
   * first.
   */
  dueAt(row: Row): number;
  /** Rows of one lane are worked on one at a time. */
  laneOf(row: Row): number | string;
  /** Returns whether a row may start, apart from its lane. Called again whenever other work ends. Default: always. */
  hasRoom?(row: Row): boolean;
  /** How long running work may continue when the server stops. */
  graceMs: number;
  /** Does the work, then replaces or removes the row. If `stop` aborts first, the row may stay for the next process. */
  run(row: Row, stop: AbortSignal): Promise<void>;
  /**
   * Called with the reason if `run` rejects, unless the server is stopping. The row is retried later, after the rows
   * that were due before it failed.
   */
  onFailure(row: Row, error: unknown): void;
}

interface DueRow<Row> {
  row: Row;
  lane: number | string;
  /** Milliseconds since 1970. */
  since: number;
}

/** The loop that starts due work on the rows of a table. */
export interface JobRunner {
  /** Starts no more work, aborts running work after `graceMs`, and resolves when none is running. */
  stop(): Promise<void>;
}

/**
 * Works on the rows of a table, including those that an earlier process left there. It follows the log, so writers
 * never wait for it. A batch that does not change the table costs one comparison.
 */
export function startJobRunner<Row extends { id: number }>(
  { store, now }: { store: Pick<Store, 'onCommit'> & { driver: Pick<Store['driver'], 'isHeld'> }; now: () => number },
  { table, maxConcurrent, dueAt, laneOf, hasRoom = () => true, graceMs, run, onFailure }: JobRunnerOptions<Row>,
): JobRunner {
  const stopping = new AbortController();
  // All running work listens to this signal: Node must not warn of a leak of listeners.
  setMaxListeners(maxConcurrent * 4, stopping.signal);
  const running = new Map<number | string, Promise<void>>();
  /** When each row failed; forgotten once the row changes. A failed row goes to the end of the queue. */
  const failedAt = new WeakMap<Row, number>();
  let isStopping = false;
  let seenVersion = -1;
  /** The earliest time at which a row is due that was not due at the last check. */
  let nextDueAt = Infinity;

  function startDueRows(): void {
    const at = now();
    if (isStopping || running.size >= maxConcurrent || (table.version === seenVersion && at < nextDueAt)) return;
    // A server that was paused may have lost the log: its successor has these rows, too.
    if (store.driver.isHeld?.() === false) return;
    seenVersion = table.version;
    nextDueAt = Infinity;
    // A row that starts may leave no room for a row that was found with it. Then a row of another lane may still fit.
    for (let isFull = true; isFull && running.size < maxConcurrent;) {
      const found = longestDue(at, maxConcurrent - running.size);
      const before = running.size;
      for (const { row, lane } of found) if (hasRoom(row)) begin(row, lane);
      isFull = running.size > before && running.size - before < found.length;
    }
  }

  /** Returns the row of each free lane that has been due longest: at most `max` rows, the longest due first. */
  function longestDue(at: number, max: number): DueRow<Row>[] {
    const found: DueRow<Row>[] = [];
    for (const row of table.values()) {
      const due = dueAt(row);
      if (due > at) {
        nextDueAt = Math.min(nextDueAt, due);
        continue;
      }
      const since = Math.max(due, failedAt.get(row) ?? 0);
      if (found.length === max && since >= (found.at(-1)?.since ?? 0)) continue;
      const lane = laneOf(row);
      const rival = found.findIndex((other) => other.lane === lane);
      if (running.has(lane) || (found[rival]?.since ?? Infinity) <= since || !hasRoom(row)) continue;
      if (rival >= 0) found.splice(rival, 1);
      const index = found.findIndex((other) => other.since > since);
      found.splice(index < 0 ? found.length : index, 0, { row, lane, since });
      if (found.length > max) found.pop();
    }
    return found;
  }

  function begin(row: Row, lane: number | string): void {
    const work = run(row, stopping.signal).catch(async (error: unknown) => {
      if (isStopping) return;
      onFailure(row, error);
      failedAt.set(row, now());
      await pause(failedRowRetryMs, stopping.signal);
    });
    running.set(
      lane,
      work.then(() => {
        running.delete(lane);
        // A row that waits for this lane does not change the version of the table, so the version must not be compared.
        seenVersion = -1;
        startDueRows();
      }),
    );
  }

  const unfollow = store.onCommit(startDueRows);
  const timer = setInterval(startDueRows, checkIntervalMs).unref();
  startDueRows();
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

/**
 * The delay after the second start of the same work. The first restart resumes immediately, because most processes end
 * for reasons unrelated to their work.
 */
const firstDelayMs = 30_000;

/**
 * Returns the delay in milliseconds before work that earlier processes have started `begun` times and never finished.
 * Without a delay, work that crashes its process would crash it again at every start.
 */
export function restartDelayMs(begun: number): number {
  return begun <= 1 ? 0 : firstDelayMs * 4 ** (begun - 2);
}
