export type ProjectTab = 'start' | 'settings' | 'source-maps' | 'notifications' | 'origins';

export type Screen =
  | { name: 'groups' | 'projects' | 'team' | 'account' | 'usage' }
  | { name: 'group'; groupId: number; reportId: number | null }
  | { name: 'project'; projectId: number; tab: ProjectTab };

/** The account screen has the path `/tokens`, which users have bookmarked and the CLI prints. */
const paths =
  /^\/(?:sign-in|register|(?<name>projects|team|usage)?|(?<account>tokens)|groups\/(?<group>\d+)(?:\/reports\/(?<report>\d+))?|projects\/(?<project>\d+)(?:\/(?<tab>start|settings|source-maps|notifications|origins))?)$/;

/** Returns the screen of a path, or null if the path has none. The server has the same list of paths. */
export function screenOf(path: string): Screen | null {
  const found = paths.exec(path)?.groups;
  if (!found) return null;
  // For a user who is signed in, /sign-in and /register show the list of errors.
  const { name = 'groups', account, group, report, project, tab = 'settings' } = found;
  if (account) return { name: 'account' };
  if (group) return { name: 'group', groupId: Number(group), reportId: report ? Number(report) : null };
  if (project) return { name: 'project', projectId: Number(project), tab: tab as ProjectTab };
  return { name: name as 'groups' };
}
