import { signal } from '../state/signal.ts';
import type { Project } from '@service/protocol';
import { get } from '../api/call.ts';
import { listen } from '../live/live.ts';

/** The team's projects, oldest first; undefined: not known yet. */
export const projects = signal<Project[] | undefined>(undefined);
export const projectsError = signal<Error | null>(null);

export async function loadProjects(): Promise<void> {
  try {
    projects.value = await get<Project[]>('/projects');
    projectsError.value = null;
  } catch (error) {
    projectsError.value = error as Error;
  }
}

/** The stream tells no keys, so what it tells of a project is read. */
export function followProjects(): () => void {
  void loadProjects();
  return listen(({ type }) => {
    if (type.startsWith('project.') || type === 'reset') void loadProjects();
  });
}

export const projectName = (id: number): string => projects.value?.find((project) => project.id === id)?.name ?? '';
