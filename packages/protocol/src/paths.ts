/** Everything the API answers hangs below this path. */
export const apiPrefix = '/api/v1';

/** Paths of the API, as routes write them: a name after `:` stands for one segment. */
export const paths = {
  register: '/auth/register',
  openapi: '/openapi.json',
  login: '/auth/login',
  refresh: '/auth/refresh',
  logout: '/auth/logout',
  me: '/auth/me',
  useLink: '/auth/links/use',
  session: '/auth/session',
  acceptInvitation: '/auth/invitations/accept',
  personalTokens: '/auth/tokens',
  personalToken: '/auth/tokens/:id',
  members: '/members',
  member: '/members/:id',
  origins: '/origins',
  plans: '/billing/plans',
  usage: '/billing/usage',
  projects: '/projects',
  project: '/projects/:id',
  rotateApiKey: '/projects/:id/api-key/rotate',
  facets: '/projects/:id/facets',
  sourceMaps: '/projects/:id/source-maps',
  sourceMap: '/projects/:id/source-maps/:map_id',
  errors: '/errors',
  group: '/errors/:group_id',
  groupStatus: '/errors/:group_id/status',
  aiSummary: '/errors/:group_id/ai-summary',
  reports: '/errors/:group_id/reports',
  report: '/errors/:group_id/reports/:report_id',
} as const;
