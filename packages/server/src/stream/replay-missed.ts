import type { StreamEvent } from '@service/protocol';
import type { Model } from '../store/model/model.ts';
import { eventOf, groupUpdated, teamOf } from './events.ts';
import type { SubscriberOptions } from './subscriber.ts';

/** More than this is not told: to read a page of a list again is less work, for both. */
const mostEvents = 500;

/**
 * What has happened since a batch, told as it stands now: first what seldom happens, in its order, then groups that have
 * changed. Null if that is not known any more, or is too much.
 */
export function replayMissed(
  model: Model,
  batch: number,
  { teamId, projectId }: Pick<SubscriberOptions, 'teamId' | 'projectId'>,
  now: number,
): StreamEvent[] | null {
  const { eventLog, batchNumber } = model;
  if (batch > batchNumber || !eventLog.reachesBackTo(batch)) return null;
  const events: StreamEvent[] = [];
  const told = new Set<number>();
  for (const happened of eventLog.since(batch)) {
    if (projectId !== null && happened.projectId !== projectId) continue;
    if (teamOf(model, happened) !== teamId) continue;
    const event = eventOf(model, happened, now);
    if (!event) continue;
    events.push(event);
    if ('group' in event) told.add(happened.groupId);
    if (events.length > mostEvents) return null;
  }
  const changed = changedGroups(model, batch, { teamId, projectId }, told);
  if (events.length + changed.length > mostEvents) return null;
  return [...events, ...changed.map((slot) => groupUpdated(model, slot, now))];
}

/** Slots of groups that a batch after this one has changed, in the order in which they did: all of them, or too many. */
function changedGroups(
  { groups: { columns }, tables }: Model,
  batch: number,
  { teamId, projectId }: Pick<SubscriberOptions, 'teamId' | 'projectId'>,
  told: ReadonlySet<number>,
): number[] {
  const { lastBatches, ids, projects, length } = columns;
  const slots: number[] = [];
  for (let slot = 0; slot < length && slots.length <= mostEvents; slot++) {
    if ((lastBatches[slot] ?? 0) <= batch) continue;
    const id = ids[slot] ?? 0;
    if (id === 0 || told.has(id)) continue;
    const project = projects[slot] ?? 0;
    if (projectId === null ? tables.projects.get(project)?.team_id === teamId : project === projectId) slots.push(slot);
  }
  return slots.toSorted((one, other) => (lastBatches[one] ?? 0) - (lastBatches[other] ?? 0));
}
