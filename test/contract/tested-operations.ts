import type { ProblemCode } from '../../packages/protocol/src/index.ts';
import { adminPassword, freshEmail, password } from './credentials.ts';
import type { TestContext } from './context.ts';
import { mapForm } from './source-map-form.ts';

/** One operation of the API, and what its generated tests need to know. */
export interface TestedOperation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Names in braces are fixtures of the test. */
  path: string;
  /** The query of a valid request, without `?`. */
  query?: string;
  /** The status of the response to a valid request. */
  status: number;
  /** True if the operation needs no token. */
  isPublic?: true;
  /** The lowest role that may call the operation; viewer by default. */
  minimumRole?: 'owner' | 'member';
  /** The problem code of a missing object, by its name in the path. */
  notFoundCodes?: Record<string, ProblemCode>;
  /** The body that the operation reads. `empty`: a POST without one. */
  bodyType?: 'json' | 'form' | 'empty';
  /** Builds a valid body. */
  validBody?: () => unknown;
  /** Builds a valid body that names other objects of the test, which it creates. */
  bodyWithObjects?: (context: TestContext) => Promise<object>;
  /**
   * A body that passes validation but names no existing object; for operations whose valid requests have their own
   * tests.
   */
  parsableBody?: object;
}

const project = { project: 'project_not_found' } as const;
const member = { memberId: 'member_not_found' } as const;
const group = { group: 'group_not_found' } as const;

/** Creates a group to merge, or to unmerge. */
async function otherGroups(context: TestContext): Promise<object> {
  const { error_group_id } = await context.createReport({ message: 'Another error' });
  return { group_ids: [error_group_id] };
}

export const testedOperations: TestedOperation[] = [
  {
    method: 'POST',
    path: 'auth/login',
    status: 200,
    isPublic: true,
    bodyType: 'json',
    validBody: () => ({ email: 'admin@localhost', password: adminPassword }),
  },
  {
    method: 'POST',
    path: 'auth/links/use',
    status: 200,
    isPublic: true,
    bodyType: 'json',
    parsableBody: { token: 'no-such-link' },
  },
  {
    method: 'POST',
    path: 'auth/register',
    status: 201,
    isPublic: true,
    bodyType: 'json',
    validBody: () => ({ email: freshEmail(), password }),
  },
  {
    method: 'POST',
    path: 'auth/refresh',
    status: 200,
    isPublic: true,
    bodyType: 'json',
    parsableBody: { refresh_token: 'no-such-token' },
  },
  {
    method: 'POST',
    path: 'auth/invitations/accept',
    status: 201,
    isPublic: true,
    bodyType: 'json',
    parsableBody: { token: 'no-such-invitation', password },
  },
  {
    method: 'POST',
    path: 'auth/session',
    status: 204,
    isPublic: true,
    bodyType: 'json',
    validBody: () => ({ email: 'admin@localhost', password: adminPassword }),
  },
  {
    method: 'POST',
    path: 'auth/confirmations/use',
    status: 200,
    isPublic: true,
    bodyType: 'json',
    parsableBody: { token: 'no-such-link' },
  },
  { method: 'GET', path: 'auth/me', status: 200 },
  { method: 'PATCH', path: 'auth/me', status: 200, bodyType: 'json', validBody: () => ({ name: 'Ada' }) },
  { method: 'GET', path: 'auth/tokens', status: 200 },
  { method: 'POST', path: 'auth/tokens', status: 201, bodyType: 'json', validBody: () => ({ name: 'CI' }) },
  { method: 'DELETE', path: 'auth/tokens/{tokenId}', status: 204, notFoundCodes: { tokenId: 'token_not_found' } },
  { method: 'GET', path: 'members', status: 200 },
  {
    method: 'POST',
    path: 'members',
    status: 201,
    minimumRole: 'owner',
    bodyType: 'json',
    validBody: () => ({ email: freshEmail(), role: 'viewer' }),
  },
  {
    method: 'PATCH',
    path: 'members/{memberId}',
    status: 200,
    minimumRole: 'owner',
    notFoundCodes: member,
    bodyType: 'json',
    validBody: () => ({ name: 'Ada' }),
  },
  { method: 'DELETE', path: 'members/{memberId}', status: 204, minimumRole: 'owner', notFoundCodes: member },

  { method: 'GET', path: 'origins', status: 200, minimumRole: 'owner' },
  {
    method: 'PUT',
    path: 'origins',
    status: 200,
    minimumRole: 'owner',
    bodyType: 'json',
    validBody: () => ({ origins: [] }),
  },

  { method: 'GET', path: 'billing/plans', status: 200 },
  { method: 'GET', path: 'billing/usage', status: 200 },
  {
    method: 'POST',
    path: 'billing/checkout',
    status: 201,
    minimumRole: 'owner',
    bodyType: 'json',
    validBody: () => ({ plan: 'self_hosted' }),
  },
  { method: 'GET', path: 'billing/payments', status: 200 },
  { method: 'GET', path: 'source-maps/usage', status: 200 },
  { method: 'GET', path: 'billing/payments/{payment}', status: 200, notFoundCodes: { payment: 'payment_not_found' } },

  { method: 'GET', path: 'projects', status: 200 },
  {
    method: 'POST',
    path: 'projects',
    status: 201,
    minimumRole: 'member',
    bodyType: 'json',
    validBody: () => ({ name: 'Shop' }),
  },
  { method: 'GET', path: 'projects/{project}', status: 200, notFoundCodes: project },
  {
    method: 'PUT',
    path: 'projects/{project}',
    status: 200,
    minimumRole: 'member',
    notFoundCodes: project,
    bodyType: 'json',
    validBody: () => ({ name: 'Shop' }),
  },
  {
    method: 'POST',
    path: 'projects/{project}/api-key/rotate',
    status: 200,
    minimumRole: 'member',
    notFoundCodes: project,
    bodyType: 'empty',
  },
  {
    method: 'POST',
    path: 'projects/{project}/source-maps',
    status: 201,
    minimumRole: 'member',
    notFoundCodes: project,
    bodyType: 'form',
    validBody: () => mapForm(),
  },
  { method: 'GET', path: 'projects/{project}/source-maps', status: 200, notFoundCodes: project },
  {
    method: 'GET',
    path: 'projects/{project}/resolution',
    query: 'file=app.js&line=1&column=1',
    status: 200,
    notFoundCodes: project,
  },
  {
    method: 'DELETE',
    path: 'projects/{project}/source-maps/{map}',
    status: 204,
    minimumRole: 'member',
    notFoundCodes: { ...project, map: 'source_map_not_found' },
  },
  { method: 'GET', path: 'projects/{project}/notifications', status: 200, notFoundCodes: project },
  {
    method: 'PUT',
    path: 'projects/{project}/notifications',
    status: 200,
    minimumRole: 'member',
    notFoundCodes: project,
    bodyType: 'json',
    validBody: () => ({
      email: { enabled: false, to: [] },
      webhook: { enabled: false, url: null, format: 'slack' },
    }),
  },
  {
    method: 'POST',
    path: 'projects/{project}/notifications/test',
    status: 202,
    minimumRole: 'member',
    notFoundCodes: project,
    bodyType: 'empty',
  },
  { method: 'GET', path: 'projects/{project}/notifications/recipients', status: 200, notFoundCodes: project },
  { method: 'GET', path: 'projects/{project}/facets', status: 200, notFoundCodes: project },
  { method: 'GET', path: 'projects/{project}/dropped-items', status: 200, notFoundCodes: project },
  { method: 'GET', path: 'facets', status: 200 },

  { method: 'GET', path: 'stream', status: 200 },

  { method: 'GET', path: 'errors', status: 200 },
  { method: 'GET', path: 'errors/{group}', status: 200, notFoundCodes: group },
  { method: 'GET', path: 'errors/{group}/reports', status: 200, notFoundCodes: group },
  { method: 'GET', path: 'errors/{group}/resolution', status: 200, notFoundCodes: group },
  {
    method: 'GET',
    path: 'errors/{group}/reports/{report}',
    status: 200,
    notFoundCodes: { ...group, report: 'report_not_found' },
  },
  {
    method: 'PATCH',
    path: 'errors/{group}/status',
    status: 200,
    minimumRole: 'member',
    notFoundCodes: group,
    bodyType: 'json',
    validBody: () => ({ status: 'resolved' }),
  },
  { method: 'GET', path: 'errors/{group}/merged', status: 200, notFoundCodes: group },
  { method: 'GET', path: 'errors/{group}/similar', status: 200, notFoundCodes: group },
  ...['merge', 'unmerge'].map((change): TestedOperation => ({
    method: 'POST',
    path: `errors/{group}/${change}`,
    status: 200,
    minimumRole: 'member',
    notFoundCodes: group,
    bodyType: 'json',
    bodyWithObjects: otherGroups,
    parsableBody: { group_ids: [2 ** 40] },
  })),
  {
    method: 'POST',
    path: 'errors/{group}/ai-summary',
    status: 202,
    minimumRole: 'member',
    notFoundCodes: group,
    bodyType: 'empty',
  },
  {
    method: 'GET',
    path: 'errors/{explained}/ai-summary',
    status: 200,
    notFoundCodes: { explained: 'group_not_found' },
  },
  { method: 'DELETE', path: 'errors/{group}', status: 204, minimumRole: 'member', notFoundCodes: group },
  { method: 'DELETE', path: 'projects/{project}', status: 204, minimumRole: 'member', notFoundCodes: project },
];

export const operationName = ({ method, path }: TestedOperation): string => `${method} ${path}`;
