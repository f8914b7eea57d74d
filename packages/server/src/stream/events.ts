import type { StreamEvent, Usage } from '@service/protocol';
import type { LoggedEvent } from '../store/model/event-log.ts';
import type { Model } from '../store/model/model.ts';

/** What has happened, told as it stands now. Null if what it was about is gone: another event says so. */
export function eventOf({ groups, tables }: Model, happened: LoggedEvent, now: number): StreamEvent | null {
  const { what: type, projectId: project_id, groupId, deleted } = happened;
  const at = iso(now);
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
    default: {
      const slot = groups.slotOf(groupId);
      return slot < 0 ? null : { type, project_id, at, group: groups.record(slot, now) };
    }
  }
}

export function groupUpdated({ groups }: Model, slot: number, now: number): StreamEvent {
  const group = groups.record(slot, now);
  return { type: 'group.updated', project_id: group.project_id, at: iso(now), group };
}

export function usageUpdated(usage: Usage, now: number): StreamEvent {
  return { type: 'usage.updated', project_id: null, at: iso(now), usage };
}

/** With a reason it is the last event of a stream. */
export function reset(now: number, reason?: 'signed_out'): StreamEvent {
  return { type: 'reset', project_id: null, at: iso(now), ...(reason && { reason }) };
}

/** Whose team something has happened in. */
export function teamOf({ tables }: Model, { projectId, deleted }: LoggedEvent): number | undefined {
  return (deleted ?? tables.projects.get(projectId))?.team_id;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
