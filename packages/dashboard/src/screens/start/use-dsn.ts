import type { Project, ProjectDetails } from '@service/protocol';
import { get } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';

/**
 * Loads the DSN of a project, with the address of this page, by which the server can be reached. Empty until it is
 * loaded.
 */
export function useDsn({ id, api_key }: Project): string {
  // The DSN changes with the key.
  const { value } = useLoad(`dsn ${id} ${api_key}`, () => get<ProjectDetails>(`/projects/${id}`));
  return value?.dsn.replace(/^.*\/\/(.*)@.*\//, `${location.protocol}//$1@${location.host}/`) ?? '';
}
