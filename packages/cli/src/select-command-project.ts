import type { Project } from '@service/protocol';
import { selectProject, type ApiClient } from '@service/api-client';
import type { CommandContext } from './command.ts';

/**
 * Returns the project that the option or the environment names, or else the only project. Rejects with a
 * ProjectSelectionError if there is no such project, or if the choice is ambiguous.
 */
export function selectCommandProject(
  api: ApiClient,
  { options, env }: Pick<CommandContext, 'options' | 'env'>,
): Promise<Project> {
  return selectProject(api, options.project ?? env.SERVICE_PROJECT);
}
