import { limits, type Accepted } from '@service/protocol';
import type { Transaction } from '../store/log/transaction.ts';

/** How long a response is stored under the `event_id` of its report. */
const eventIdMs = limits.eventIdHours * 3_600_000;

/** Returns the response to the first report with this `event_id`, or undefined if it is new or the first one is too old. */
export function findDuplicate(
  transaction: Transaction,
  projectId: number,
  eventId: string | null,
): Accepted | undefined {
  if (eventId === null) return undefined;
  const first = transaction.firstAnswer(projectId, eventId);
  return first && transaction.now - first.at < eventIdMs ? first.answer : undefined;
}
