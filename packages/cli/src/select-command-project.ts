import type { Project } from '@service/protocol';
import { selectProject, type ApiClient } from '@service/api-client';
import type { CommandContext } from './command.ts';

/** Returns the project of a command: by the option, the environment, or the only one. Rejects with a ProjectSelectionError. */
export function selectCommandProject(
  api: ApiClient,
  { options, env }: Pick<CommandContext, 'options' | 'env'>,
): Promise<Project> {
  return selectProject(api, options.project ?? env.SERVICE_PROJECT);
}
