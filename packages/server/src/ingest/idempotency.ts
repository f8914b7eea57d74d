import type { Accepted } from '@service/protocol';
import { isEventIdRemembered } from '../retention/retention-policy.ts';
import type { Transaction } from '../store/log/transaction.ts';

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
