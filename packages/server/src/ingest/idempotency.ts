import { limits, type Accepted } from '@service/protocol';
import type { Draft } from '../store/log/transaction.ts';

/** How long the response to a report is remembered by its `event_id`. */
const eventIdMs = limits.eventIdHours * 3_600_000;

/** Returns the response to the first report with this `event_id`, or undefined if it is new or the first one is too old. */
export function findDuplicate(draft: Draft, projectId: number, eventId: string | null): Accepted | undefined {
  if (eventId === null) return undefined;
  const first = draft.firstAnswer(projectId, eventId);
  return first && draft.now - first.at < eventIdMs ? first.answer : undefined;
}
