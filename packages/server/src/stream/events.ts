import type { StreamEvent, Usage } from '@service/protocol';
import type { LoggedEvent } from '../store/model/event-log.ts';
import type { Model } from '../store/model/model.ts';

/**
 * Returns the event to publish, with the current state of its subject. Returns null if the subject was deleted, or a
 * merged group unmerged since: the log has a separate event for that.
 */
export function toStreamEvent({ groups, tables }: Model, logged: LoggedEvent, now: number): StreamEvent | null {
  const { what: type, projectId: project_id, groupId, deleted } = logged;
  const at = formatTime(now);
  switch (type) {
    case 'group.deleted':
      return { type, project_id, at, error_group_id: groupId };
    case 'project.created':
    case 'project.updated':
    case 'project.deleted': {
      const project = deleted ?? tables.projects.get(project_id);
      if (!project) return null;
      const { id, name, created_at } = project;
      return { type, project_id, at, project: { id, name, created_at } };
    }
    case 'summary.updated': {
      const status = tables.summaries.get(groupId)?.status;
      return status ? { type, project_id, at, error_group_id: groupId, status } : null;
    }
    case 'group.merged': {
      const targetId = groups.merged.targetId(groupId);
      const slot = groups.slotOf(targetId);
      if (targetId === groupId || slot < 0) return null;
      return { type, project_id, at, error_group_id: groupId, into: groups.record(slot, now) };
    }
    default: {
      const slot = groups.slotOf(groupId);
      return slot < 0 ? null : { type, project_id, at, group: groups.record(slot, now) };
    }
  }
}

export function groupUpdated({ groups }: Model, slot: number, now: number): StreamEvent {
  const group = groups.record(slot, now);
  return { type: 'group.updated', project_id: group.project_id, at: formatTime(now), group };
}

export function usageUpdated(usage: Usage, now: number): StreamEvent {
  return { type: 'usage.updated', project_id: null, at: formatTime(now), usage };
}

/** Returns a reset. A reset with a reason is the last event of its stream. */
export function reset(now: number, reason?: 'signed_out'): StreamEvent {
  return { type: 'reset', project_id: null, at: formatTime(now), ...(reason && { reason }) };
}

/** Returns the team of the project of an event. */
export function teamIdOf({ tables }: Model, { projectId, deleted }: LoggedEvent): number | undefined {
  return (deleted ?? tables.projects.get(projectId))?.team_id;
}

function formatTime(at: number): string {
  return new Date(at).toISOString();
}
