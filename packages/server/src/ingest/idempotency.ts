import { limits, type Accepted } from '@service/protocol';
import type { Transaction } from '../store/log/transaction.ts';
import { hourMs } from '../time/units.ts';

/*
 * A client can send a report to a project again with the same `event_id`. The repeated report is not counted, and its
 * response is the first one.
 *
 * `checkDuplicateAndQuota` looks for the first response, within the transaction that records the report. A new response
 * is stored in the same transaction, by `Transaction.storeResponse`. `ResponseIndex` in `store/model/response-index.ts`
 * holds the newest responses of the whole server, `maxEventIds` of them, and drops the oldest. They survive a restart:
 * they are read from the reports in the log and, after a compaction, from entries with packed responses.
 */

/**
 * Returns the response to the first report with this `event_id`, or undefined if it is new or the first one is too old.
 */
export function findDuplicate(
  transaction: Transaction,
  projectId: number,
  eventId: string | null,
): Accepted | undefined {
  if (eventId === null) return undefined;
  const first = transaction.storedResponse(projectId, eventId);
  return first && isEventIdRemembered(first.at, transaction.now) ? first.response : undefined;
}

/** Returns whether a response is still returned for a repeated `event_id`. */
function isEventIdRemembered(firstAt: number, now: number): boolean {
  return now - firstAt < limits.eventIdHours * hourMs;
}
