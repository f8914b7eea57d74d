import type { StreamEvent } from '@service/protocol';
import type { Model } from '../store/model/model.ts';
import { toStreamEvent, groupUpdated, teamIdOf } from './events.ts';
import type { EventCursor } from './event-cursor.ts';
import type { SubscriberOptions } from './subscriber.ts';

/** Above this number a reset is sent instead: reading a page of a list again is less work for server and client. */
const maxEvents = 500;

/**
 * Returns the events after a cursor, with the current state of their subjects: first the logged events in their order,
 * then one event per changed group. Returns null if they are unknown or more than `maxEvents`.
 */
export function replayMissed(
  model: Model,
  cursor: EventCursor,
  { teamId, projectId }: Pick<SubscriberOptions, 'teamId' | 'projectId'>,
  now: number,
): StreamEvent[] | null {
  const { eventLog, batchNumber } = model;
  if (cursor.events > batchNumber || !eventLog.reachesBackTo(cursor.updates)) return null;
  const events: StreamEvent[] = [];
  const published = new Set<number>();
  for (const logged of eventLog.since(cursor.events)) {
    if (projectId !== null && logged.projectId !== projectId) continue;
    if (teamIdOf(model, logged) !== teamId) continue;
    const event = toStreamEvent(model, logged, now);
    if (!event) continue;
    events.push(event);
    if ('group' in event) published.add(logged.groupId);
    if (events.length > maxEvents) return null;
  }
  const changed = changedGroups(model, cursor.updates, { teamId, projectId }, published);
  if (events.length + changed.length > maxEvents) return null;
  return [...events, ...changed.map((slot) => groupUpdated(model, slot, now))];
}

/**
 * Returns the slots of the groups changed after a batch, in the order of their last change. Stops above `maxEvents`.
 */
function changedGroups(
  { groups: { columns }, tables }: Model,
  batch: number,
  { teamId, projectId }: Pick<SubscriberOptions, 'teamId' | 'projectId'>,
  published: ReadonlySet<number>,
): number[] {
  const { lastBatches, ids, merged, projects, length } = columns;
  const slots: number[] = [];
  for (let slot = 0; slot < length && slots.length <= maxEvents; slot++) {
    if ((lastBatches[slot] ?? 0) <= batch) continue;
    const id = ids[slot] ?? 0;
    if (id === 0 || merged[slot] === 1 || published.has(id)) continue;
    const project = projects[slot] ?? 0;
    if (projectId === null ? tables.projects.get(project)?.team_id === teamId : project === projectId) slots.push(slot);
  }
  return slots.toSorted((one, other) => (lastBatches[one] ?? 0) - (lastBatches[other] ?? 0));
}
