export const projectTabs = ['start', 'settings', 'source-maps', 'notifications', 'origins'] as const;
export type ProjectTab = (typeof projectTabs)[number];

export type Screen =
  | { name: 'groups' | 'projects' | 'team' | 'tokens' | 'usage' | 'sign-in' }
  | { name: 'group'; groupId: number; reportId: number | null }
  | { name: 'project'; projectId: number; tab: ProjectTab };

const plain = /^\/(projects|team|tokens|usage|sign-in)$/;

/** What a path shows; null: it is none of this page. The server knows the same paths. */
export function screenOf(path: string): Screen | null {
  if (path === '/') return { name: 'groups' };
  const [, name] = plain.exec(path) ?? [];
  if (name) return { name: name as 'projects' };
  const [, group, report] = /^\/groups\/(\d+)(?:\/reports\/(\d+))?$/.exec(path) ?? [];
  if (group) return { name: 'group', groupId: Number(group), reportId: report ? Number(report) : null };
  const [, project, tab = 'settings'] = /^\/projects\/(\d+)(?:\/([a-z-]+))?$/.exec(path) ?? [];
  if (project && isTab(tab)) return { name: 'project', projectId: Number(project), tab };
  return null;
}

function isTab(name: string): name is ProjectTab {
  return (projectTabs as readonly string[]).includes(name);
}
