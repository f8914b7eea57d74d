import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './api.gen.ts';

type Report = components['schemas']['ErrorReport'];

/** The observed results, for the test to compare. */
export interface Story {
  steps: string[];
  reopenCount: number;
  resolvedFile: string | null;
  rejections: string[];
}

/**
 * Runs the story of the specification with a client whose types are generated from the OpenAPI document. The compiler
 * tests the document, and the results test the server.
 */
export async function walkThrough(baseUrl: string, email: string, password: string): Promise<Story> {
  const steps: string[] = [];
  const rejections: string[] = [];
  const guest = createClient<paths>({ baseUrl: `${baseUrl}/api/v1` });

  const { access_token } = dataOf(await guest.POST('/auth/login', { body: { email, password } }));
  const api: Client<paths> = createClient<paths>({
    baseUrl: `${baseUrl}/api/v1`,
    headers: { authorization: `Bearer ${access_token}` },
  });
  steps.push(`signed in as ${dataOf(await api.GET('/auth/me')).role}`);

  const project = dataOf(await api.POST('/projects', { body: { name: 'Shop' } }));
  const inProject = { path: { id: project.id } };
  steps.push(`created ${project.name}`);

  const report: Report = {
    project_api_key: project.api_key,
    message: 'total is undefined',
    stacktrace: 'TypeError: total is undefined\n    at checkout (https://shop.example/app.js:1:1)',
    environment: 'production',
    release: '1.0.0',
    url: 'https://shop.example/cart',
    metadata: { cart: 3 },
    breadcrumbs: [
      { timestamp: '2026-11-20T09:00:00.000Z', type: 'navigation', category: 'history', data: { to: '/cart' } },
    ],
  };
  const first = dataOf(await guest.POST('/errors', { body: report }));
  steps.push(first.is_new_group ? 'reported a new error' : 'reported a known error');

  const list = dataOf(
    await api.GET('/errors', {
      params: {
        query: { project_id: project.id, environment: 'production', status: 'active', search: 'total', size: 10 },
      },
    }),
  );
  steps.push(`listed ${list.items.map(({ message, count }) => `${message} × ${count}`).join()}`);

  const inGroup = { path: { group_id: first.error_group_id } };
  const details = dataOf(await api.GET('/errors/{group_id}', { params: inGroup }));
  steps.push(`read ${details.type} of ${details.tags.environment?.[0]?.value}`);

  const resolved = dataOf(
    await api.PATCH('/errors/{group_id}/status', { params: inGroup, body: { status: 'resolved' } }),
  );
  steps.push(resolved.status);
  dataOf(await guest.POST('/errors', { body: report }));
  const reopened = dataOf(await api.GET('/errors/{group_id}', { params: inGroup }));
  steps.push(reopened.status);

  const { api_key } = dataOf(await api.POST('/projects/{id}/api-key/rotate', { params: inProject }));
  const rejected = await guest.POST('/errors', { body: report });
  if (rejected.error) rejections.push(rejected.error.code);
  dataOf(await guest.POST('/errors', { body: { ...report, project_api_key: api_key } }));

  const map = dataOf(
    await api.POST('/projects/{id}/source-maps', {
      params: inProject,
      body: { file: sourceMap, release: '1.0.0' },
      bodySerializer(form) {
        const data = new FormData();
        data.set('file', new Blob([form.file]), 'app.js.map');
        if (form.release !== undefined) data.set('release', form.release);
        return data;
      },
    }),
  );
  steps.push(`uploaded the map of ${map.file}`);
  const { latest_report } = dataOf(await api.GET('/errors/{group_id}', { params: inGroup }));

  const deleted = await api.DELETE('/projects/{id}', { params: inProject });
  steps.push(`deleted with ${deleted.response.status}`);
  const gone = await api.GET('/errors/{group_id}', { params: inGroup });
  if (gone.error) rejections.push(gone.error.code);
  // @ts-expect-error -- the document and the server reject this status
  const wrong = await api.GET('/errors', { params: { query: { status: 'open' } } });
  if (wrong.error) rejections.push(wrong.error.code);

  return {
    steps,
    reopenCount: reopened.reopen_count,
    resolvedFile: latest_report?.frames[0]?.file ?? null,
    rejections,
  };
}

/** Maps 1:1 of the script to `const total = cart.items;` in src/cart.ts. */
const sourceMap = JSON.stringify({
  version: 3,
  file: 'app.js',
  sources: ['src/cart.ts'],
  sourcesContent: ['const total = cart.items;'],
  names: [],
  mappings: 'AAAA',
});

function dataOf<Data>({ data, error }: { data?: Data; error?: { code: string; detail: string } }): Data {
  if (data === undefined) throw new Error(error ? `${error.code}: ${error.detail}` : 'The response has no body.');
  return data;
}
