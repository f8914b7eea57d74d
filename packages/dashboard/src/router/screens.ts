export type ProjectTab = 'start' | 'settings' | 'source-maps' | 'notifications' | 'origins';

export type Screen =
  | { name: 'groups' | 'projects' | 'team' | 'tokens' | 'usage' }
  | { name: 'group'; groupId: number; reportId: number | null }
  | { name: 'project'; projectId: number; tab: ProjectTab };

const pages =
  /^\/(?:sign-in|register|(?<name>projects|team|tokens|usage)?|groups\/(?<group>\d+)(?:\/reports\/(?<report>\d+))?|projects\/(?<project>\d+)(?:\/(?<tab>start|settings|source-maps|notifications|origins))?)$/;

/** What a path shows; null: it is none of this page. The server knows the same paths. */
export function screenOf(path: string): Screen | null {
  const found = pages.exec(path)?.groups;
  if (!found) return null;
  // Whoever is signed in has no need of the doors.
  const { name = 'groups', group, report, project, tab = 'settings' } = found;
  if (group) return { name: 'group', groupId: Number(group), reportId: report ? Number(report) : null };
  if (project) return { name: 'project', projectId: Number(project), tab: tab as ProjectTab };
  return { name: name as 'groups' };
}
