import type { ProblemCode } from '../../packages/protocol/src/index.ts';
import { adminPassword } from './places.ts';
import { freshEmail, mapForm, password } from './scene.ts';

/** What the contract lets a caller do. */
export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With what a scene knows in braces. */
  path: string;
  /** The answer to a good request. */
  status: number;
  /** Needs no token. */
  isOpen?: true;
  /** Who may: everybody of the team unless said otherwise. Members are owners and members. */
  who?: 'owners' | 'members';
  /** What a missing thing is called, by its name in the path. */
  missing?: Record<string, ProblemCode>;
  takes?: 'json' | 'form' | 'nothing';
  /** A good body. */
  body?: () => unknown;
  /** A body of the right shape, where a good one has to be made first: what it does is told by tests of its own. */
  shape?: object;
}

const project = { project: 'project_not_found' } as const;
const member = { memberId: 'member_not_found' } as const;
const group = { group: 'group_not_found' } as const;

export const operations: Operation[] = [
  {
    method: 'POST',
    path: 'auth/login',
    status: 200,
    isOpen: true,
    takes: 'json',
    body: () => ({ email: 'admin@localhost', password: adminPassword }),
  },
  {
    method: 'POST',
    path: 'auth/links/use',
    status: 200,
    isOpen: true,
    takes: 'json',
    shape: { token: 'no-such-link' },
  },
  {
    method: 'POST',
    path: 'auth/register',
    status: 201,
    isOpen: true,
    takes: 'json',
    body: () => ({ email: freshEmail(), password }),
  },
  {
    method: 'POST',
    path: 'auth/refresh',
    status: 200,
    isOpen: true,
    takes: 'json',
    shape: { refresh_token: 'no-such-token' },
  },
  {
    method: 'POST',
    path: 'auth/invitations/accept',
    status: 201,
    isOpen: true,
    takes: 'json',
    shape: { token: 'no-such-invitation', password },
  },
  {
    method: 'POST',
    path: 'auth/session',
    status: 204,
    isOpen: true,
    takes: 'json',
    body: () => ({ email: 'admin@localhost', password: adminPassword }),
  },
  { method: 'GET', path: 'auth/me', status: 200 },
  { method: 'PATCH', path: 'auth/me', status: 200, takes: 'json', body: () => ({ name: 'Ada' }) },
  { method: 'GET', path: 'auth/tokens', status: 200 },
  { method: 'POST', path: 'auth/tokens', status: 201, takes: 'json', body: () => ({ name: 'CI' }) },
  { method: 'DELETE', path: 'auth/tokens/{tokenId}', status: 204, missing: { tokenId: 'token_not_found' } },
  { method: 'GET', path: 'members', status: 200 },
  {
    method: 'POST',
    path: 'members',
    status: 201,
    who: 'owners',
    takes: 'json',
    body: () => ({ email: freshEmail(), role: 'viewer' }),
  },
  {
    method: 'PATCH',
    path: 'members/{memberId}',
    status: 200,
    who: 'owners',
    missing: member,
    takes: 'json',
    body: () => ({ name: 'Ada' }),
  },
  { method: 'DELETE', path: 'members/{memberId}', status: 204, who: 'owners', missing: member },

  { method: 'GET', path: 'origins', status: 200, who: 'owners' },
  { method: 'PUT', path: 'origins', status: 200, who: 'owners', takes: 'json', body: () => ({ origins: [] }) },

  { method: 'GET', path: 'billing/plans', status: 200 },
  { method: 'GET', path: 'billing/usage', status: 200 },
  {
    method: 'POST',
    path: 'billing/checkout',
    status: 201,
    who: 'owners',
    takes: 'json',
    body: () => ({ plan: 'self_hosted' }),
  },
  { method: 'GET', path: 'billing/payments/{payment}', status: 200, missing: { payment: 'payment_not_found' } },

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
  { method: 'GET', path: 'projects/{project}/notifications', status: 200, missing: project },
  {
    method: 'PUT',
    path: 'projects/{project}/notifications',
    status: 200,
    who: 'members',
    missing: project,
    takes: 'json',
    body: () => ({
      email: { enabled: false, to: [] },
      webhook: { enabled: false, url: null, format: 'slack' },
    }),
  },
  {
    method: 'POST',
    path: 'projects/{project}/notifications/test',
    status: 202,
    who: 'members',
    missing: project,
    takes: 'nothing',
  },
  { method: 'GET', path: 'projects/{project}/facets', status: 200, missing: project },
  { method: 'GET', path: 'facets', status: 200 },

  { method: 'GET', path: 'stream', status: 200 },

  { method: 'GET', path: 'errors', status: 200 },
  { method: 'GET', path: 'errors/{group}', status: 200, missing: group },
  { method: 'GET', path: 'errors/{group}/reports', status: 200, missing: group },
  { method: 'GET', path: 'errors/{group}/resolution', status: 200, missing: group },
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
  {
    method: 'POST',
    path: 'errors/{group}/ai-summary',
    status: 202,
    who: 'members',
    missing: group,
    takes: 'nothing',
  },
  { method: 'GET', path: 'errors/{explained}/ai-summary', status: 200, missing: { explained: 'group_not_found' } },
  { method: 'DELETE', path: 'errors/{group}', status: 204, who: 'members', missing: group },
  { method: 'DELETE', path: 'projects/{project}', status: 204, who: 'members', missing: project },
];

export const operationName = ({ method, path }: Operation): string => `${method} ${path}`;
