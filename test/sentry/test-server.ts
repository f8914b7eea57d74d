import type { ErrorGroup, GroupDetails, Page, Project, ProjectDetails } from '@service/protocol';
import { createService } from '../../packages/server/src/index.ts';

const adminToken = 'sentry-test-admin-token-0123456789';

/** A server that Sentry's SDKs and tools use over a socket. */
export interface TestServer {
  url: string;
  dsn: string;
  /** The variables of Sentry's tools. */
  toolVariables: Record<string, string>;
  call<Json>(method: string, path: string, body?: FormData | object): Promise<Json>;
  /** Returns the details of all groups of a project, oldest first, once it has `count` of them. */
  groups(count: number, projectId?: number): Promise<GroupDetails[]>;
  /** Creates another project and returns its DSN. */
  addProject(name: string): Promise<{ id: number; dsn: string }>;
  close(): Promise<void>;
}

/** Starts a server with a project named Shop. */
export async function startTestServer(errorQuota: number | null = null): Promise<TestServer> {
  const service = await createService({
    storage: 'memory:',
    adminToken,
    logLevel: 'silent',
    port: 0,
    corsOrigins: ['*'],
    ...(errorQuota !== null && { errorQuota }),
  });
  const { url } = await service.listen();
  const call = async <Json>(method: string, path: string, body?: FormData | object): Promise<Json> => {
    const isForm = body instanceof FormData;
    const response = await fetch(`${url}/api/v1/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${adminToken}`,
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Json;
  };
  const addProject = async (name: string): Promise<{ id: number; dsn: string }> => {
    const { id } = await call<Project>('POST', 'projects', { name });
    const { dsn } = await call<ProjectDetails>('GET', `projects/${id}`);
    return { id, dsn };
  };
  const { dsn } = await addProject('Shop');
  const { token } = await call<{ token: string }>('POST', 'auth/tokens', { name: 'CI' });
  return {
    url,
    dsn,
    toolVariables: { SENTRY_URL: url, SENTRY_AUTH_TOKEN: token, SENTRY_ORG: 'any', SENTRY_PROJECT: 'Shop' },
    call,
    addProject,
    async groups(count, projectId = 1) {
      for (;;) {
        const { items } = await call<Page<ErrorGroup>>('GET', `errors?project_id=${projectId}`);
        if (items.length >= count) {
          const ids = items.map(({ error_group_id: id }) => id).toSorted((a, b) => a - b);
          return Promise.all(ids.map((id) => call<GroupDetails>('GET', `errors/${id}`)));
        }
        // If a group never appears, the time limit of the test ends it.
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    close: () => service.close(),
  };
}
