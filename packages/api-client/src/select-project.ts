import type { Project } from '@service/protocol';
import type { ApiClient } from './api-client.ts';

/** No project is selected, or the selected one does not exist. The message lists the projects. */
export class ProjectSelectionError extends Error {
  override readonly name = 'ProjectSelectionError';
  /**
   * `unselected`: there are several, and none is named. `unknown`: the team has none, none matches, or several match.
   */
  readonly reason: 'unselected' | 'unknown';

  constructor(reason: 'unselected' | 'unknown', message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Returns the project with an id or a name, or the only one without a selector. Rejects with a ProjectSelectionError if
 * no project matches, several match, or there are several without a selector.
 */
export async function selectProject(api: ApiClient, selector: string | undefined): Promise<Project> {
  const projects = await api.call<Project[]>('GET', '/projects');
  const [first] = projects;
  if (!first)
    throw new ProjectSelectionError(
      'unknown',
      'The team has no project. Create one with: service projects create NAME',
    );
  if (!selector && projects.length === 1) return first;
  if (!selector)
    throw new ProjectSelectionError(
      'unselected',
      `Name a project by its id or name, for example in SERVICE_PROJECT: ${list(projects)}.`,
    );
  const found = projects.filter(({ id, name }) => String(id) === selector || name === selector);
  if (found.length === 1 && found[0]) return found[0];
  if (found.length > 1)
    throw new ProjectSelectionError('unknown', `Several projects match: ${list(found)}. Use the id.`);
  throw new ProjectSelectionError(
    'unknown',
    `No project matches ${JSON.stringify(selector)}. Projects: ${list(projects)}.`,
  );
}

function list(projects: readonly Project[]): string {
  return projects.map(({ id, name }) => `${id} ${JSON.stringify(name)}`).join(', ');
}
