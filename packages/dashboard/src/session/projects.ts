import { signal } from '@preact/signals';
import type { Project } from '@service/protocol';
import { get } from '../api/call.ts';
import { retryWhenLive } from '../api/retry-when-live.ts';
import type { Load } from '../api/use-load.ts';
import { onEvent } from '../live/live-events.ts';

/** The projects of the team, oldest first. Undefined until they are loaded. */
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

/** Returns the projects for a component that has nothing to show without them. */
export function useProjects(): Load<Project[]> {
  return { value: projects.value, error: failure.value, reload: loadProjects };
}

/**
 * Loads the projects, and again whenever one changes: events carry no keys. Returns the function that unsubscribes.
 */
export function followProjects(): () => void {
  void loadProjects();
  const stopRetrying = retryWhenLive(() => failure.value, loadProjects);
  const unsubscribe = onEvent(({ type }) => {
    if (type.startsWith('project.') || type === 'reset') void loadProjects();
  });
  return () => {
    unsubscribe();
    stopRetrying();
  };
}

export const projectName = (id: number): string => projects.value?.find((project) => project.id === id)?.name ?? '';
