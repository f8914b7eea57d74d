import type { Project } from '@service/protocol';
import { chooseProject, type ApiClient } from '@service/api-client';
import type { CommandContext } from './command.ts';

/** Returns the selected project: by id, by name, or the only one. Rejects with a ProjectChoiceError. */
export function selectProject(
  api: ApiClient,
  { options, env }: Pick<CommandContext, 'options' | 'env'>,
): Promise<Project> {
  return chooseProject(api, options.project ?? env.SERVICE_PROJECT);
}
