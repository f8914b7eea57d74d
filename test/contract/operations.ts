import type { ProblemCode } from '../../packages/protocol/src/index.ts';
import { mapForm } from './scene.ts';

/** What the contract lets a caller do. */
export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With what a scene knows in braces. */
  path: string;
  /** The answer to a good request. */
  status: number;
  /** Needs no token. */
  isOpen?: true;
  /** Who may: everybody of the team unless said otherwise. */
  who?: 'owners' | 'members';
  /** What a missing thing is called, by its name in the path. */
  missing?: Record<string, ProblemCode>;
  takes?: 'json' | 'form' | 'nothing';
  /** A good body. */
  body?: () => unknown;
}

const project = { project: 'project_not_found' } as const;
const group = { group: 'group_not_found' } as const;

export const operations: Operation[] = [
  {
    method: 'POST',
    path: 'auth/login',
    status: 200,
    isOpen: true,
    takes: 'json',
    body: () => ({ email: 'admin@localhost', password: 'correct horse battery' }),
  },
  { method: 'POST', path: 'auth/links/use', status: 200, isOpen: true, takes: 'json' },

  { method: 'GET', path: 'projects', status: 200 },
  { method: 'POST', path: 'projects', status: 201, who: 'members', takes: 'json', body: () => ({ name: 'Shop' }) },
  { method: 'GET', path: 'projects/{project}', status: 200, missing: project },
  {
    method: 'PUT',
    path: 'projects/{project}',
    status: 200,
    who: 'members',
    missing: project,
    takes: 'json',
    body: () => ({ name: 'Shop' }),
  },
  {
    method: 'POST',
    path: 'projects/{project}/api-key/rotate',
    status: 200,
    who: 'members',
    missing: project,
    takes: 'nothing',
  },
  {
    method: 'POST',
    path: 'projects/{project}/source-maps',
    status: 201,
    who: 'members',
    missing: project,
    takes: 'form',
    body: () => mapForm(),
  },
  { method: 'GET', path: 'projects/{project}/source-maps', status: 200, missing: project },
  {
    method: 'DELETE',
    path: 'projects/{project}/source-maps/{map}',
    status: 204,
    who: 'members',
    missing: { ...project, map: 'source_map_not_found' },
  },
  { method: 'GET', path: 'projects/{project}/facets', status: 200, missing: project },

  { method: 'GET', path: 'errors', status: 200 },
  { method: 'GET', path: 'errors/{group}', status: 200, missing: group },
  { method: 'GET', path: 'errors/{group}/reports', status: 200, missing: group },
  {
    method: 'GET',
    path: 'errors/{group}/reports/{report}',
    status: 200,
    missing: { ...group, report: 'report_not_found' },
  },
  {
    method: 'PATCH',
    path: 'errors/{group}/status',
    status: 200,
    who: 'members',
    missing: group,
    takes: 'json',
    body: () => ({ status: 'resolved' }),
  },
  { method: 'DELETE', path: 'errors/{group}', status: 204, who: 'members', missing: group },
  { method: 'DELETE', path: 'projects/{project}', status: 204, who: 'members', missing: project },
];

export const operationName = ({ method, path }: Operation): string => `${method} ${path}`;
