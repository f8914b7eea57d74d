import type { PathParameter } from './operation.ts';

/** The path parameter of operations on one project. */
export const projectParameters = {
  id: { description: 'Id of the project.', problem: 'project_not_found' },
} as const satisfies Record<string, PathParameter>;

/** The path parameter of operations on one error group. */
export const groupParameters = {
  group_id: { description: 'Id of the error group.', problem: 'group_not_found' },
} as const satisfies Record<string, PathParameter>;
