import { signal } from '@preact/signals';
import type { Project } from '@service/protocol';
import { get } from '../api/call.ts';
import { retryWhenLive } from '../api/retry-when-live.ts';
import type { Load } from '../api/use-load.ts';
import { listen } from '../live/live.ts';

/** The team's projects, oldest first; undefined: not known yet. */
export const projects = signal<Project[] | undefined>(undefined);
const failure = signal<Error | undefined>(undefined);

export async function loadProjects(): Promise<void> {
  try {
    projects.value = await get<Project[]>('/projects');
    failure.value = undefined;
  } catch (error) {
    failure.value = error as Error;
  }
}

/** For a component that has nothing to show without them. */
export function useProjects(): Load<Project[]> {
  return { value: projects.value, error: failure.value, reload: loadProjects };
}

/** The stream tells no keys, so what it tells of a project is read. */
export function followProjects(): () => void {
  void loadProjects();
  const stopRetrying = retryWhenLive(() => failure.value, loadProjects);
  const deaf = listen(({ type }) => {
    if (type.startsWith('project.') || type === 'reset') void loadProjects();
  });
  return () => {
    deaf();
    stopRetrying();
  };
}

export const projectName = (id: number): string => projects.value?.find((project) => project.id === id)?.name ?? '';
