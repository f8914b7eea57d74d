import { expect } from 'vitest';
import { testedOperations } from '../tested-operations.ts';
import type { Suite } from '../suite.ts';

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Rules that hold for every path, tested on a few. */
export const conventions: Suite = {
  name: 'conventions',
  tests: [
    {
      title: 'an unknown path returns 404 with or without a token, and does not echo the URL',
      covers: ['conv.path.unknown', 'conv.url.not_reflected', 'problem.not_found'],
      steps: [
        ...['GET', 'POST', 'DELETE'].map((method) => ({
          request: `${method} nothing/hunter2here`,
          outcome: 'not_found' as const,
          excludes: ['hunter2'],
        })),
        { request: 'GET nothing/hunter2here', token: null, outcome: 'not_found', excludes: ['hunter2'] },
        { request: 'GET /nothing/hunter2here', token: null, outcome: 'not_found', excludes: ['hunter2'] },
        { request: 'GET /api/v2/projects', outcome: 'not_found' },
        { request: 'GET /errors', outcome: 'not_found' },
        { request: 'GET /api/v1', outcome: 'not_found' },
        { request: 'GET /api/v1/healthz', outcome: 'not_found' },
      ],
    },
    {
      title: 'a path that cannot be decoded returns 400',
      covers: ['problem.bad_request'],
      steps: [
        { request: 'GET /%ZZhunter2', outcome: 'bad_request', excludes: ['hunter2'] },
        { request: 'GET projects/%E0%A4%A', outcome: 'bad_request' },
      ],
    },
    {
      title: 'an unknown method returns 405 and lists the allowed ones',
      covers: ['conv.method.other', 'conv.url.not_reflected', 'problem.method_not_allowed'],
      async run(context) {
        const all = [
          ...testedOperations,
          { path: 'errors', method: 'POST' },
          { path: 'auth/session', method: 'DELETE' },
          { path: 'auth/logout', method: 'POST' },
        ];
        const fill = (path: string): string => path.replaceAll(/\{[a-z]+\}/gi, '1');
        for (const path of new Set(all.map((operation) => fill(operation.path)))) {
          const allowed = new Set(all.filter((operation) => fill(operation.path) === path).map(({ method }) => method));
          for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PURGE']) {
            if (allowed.has(method)) continue;
            const { status, body, headers, text } = await context.call(method, `${path}?q=hunter2here`, {
              token: null,
            });
            expect([method, path, status, body.code]).toEqual([method, path, 405, 'method_not_allowed']);
            const allow = (headers.get('allow') ?? '').split(',').map((name) => name.trim());
            for (const name of allowed) expect(allow, `${path}: Allow`).toContain(name);
            expect(allow, `${path}: Allow`).not.toContain(method);
            expect(text).not.toContain('hunter2');
          }
        }
      },
    },
    {
      title: 'HEAD returns the headers of GET without the body',
      covers: ['conv.head'],
      async run(context) {
        const project = await context.fixture('project');
        for (const [path, status] of [
          ['projects', 200],
          [`projects/${project}`, 200],
          ['projects/900000000000', 404],
          ['errors?size=0', 422],
          ['nothing', 404],
          ['/healthz', 200],
        ] as const) {
          const head = await context.call('HEAD', path);
          expect([path, head.status, head.text]).toEqual([path, status, '']);
          const get = await context.call('GET', path);
          expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
        }
        expect((await context.call('HEAD', 'projects', { token: null })).status).toBe(401);
      },
    },
    {
      title: 'a valid request id is kept',
      covers: ['conv.request_id.kept', 'problem.request_id'],
      steps: ['a', 'abc_DEF-123', 'x'.repeat(64)].flatMap((id) =>
        [
          { request: 'GET projects', outcome: 200 },
          { request: 'GET nothing', outcome: 404 },
          { request: 'POST errors', body: {}, outcome: 422 },
          { request: 'GET /healthz', outcome: 200 },
        ].map((step) => ({ ...step, headers: { 'x-request-id': id }, responseHeaders: { 'x-request-id': id } })),
      ),
    },
    {
      title: 'an invalid request id is replaced',
      covers: ['conv.request_id.replaced'],
      steps: ['', 'x'.repeat(65), 'has spaces', 'semi;colon', 'dot.dot', 'a,b', 'ümlaut'].flatMap((id) =>
        ['GET projects', 'GET nothing', 'POST errors'].map((request) => ({
          request,
          outcome: request === 'GET projects' ? 200 : request === 'GET nothing' ? 404 : 422,
          ...(request === 'POST errors' ? { body: {} } : {}),
          headers: { 'x-request-id': id },
          responseHeaders: { 'x-request-id': /^(?!x{64,})[A-Za-z0-9_-]{16,64}$/ },
        })),
      ),
    },
    {
      title: 'large responses are gzipped if the client accepts it',
      covers: ['conv.compression.responses'],
      async run(context) {
        const { error_group_id } = await context.createReport({
          stacktrace: 'at f (https://a.example/a.js:1:1)\n'.repeat(200),
        });
        const path = `errors/${error_group_id}`;
        const gzipped = await context.call('GET', path, { headers: { 'accept-encoding': 'gzip' } });
        expect(gzipped.headers.get('content-encoding')).toBe('gzip');
        expect(gzipped.headers.get('vary')?.toLowerCase()).toContain('accept-encoding');
        const plain = await context.call('GET', path, { headers: { 'accept-encoding': 'identity' } });
        expect(plain.headers.get('content-encoding')).toBeNull();
        expect(plain.body.error_group_id).toBe(error_group_id);
        const unaccepted = await context.call('GET', path, { headers: { 'accept-encoding': 'gzip;q=0' } });
        expect(unaccepted.headers.get('content-encoding')).toBeNull();
      },
    },
    {
      title: 'times are ISO 8601 in UTC with milliseconds',
      covers: ['conv.times'],
      async run(context) {
        const { created_at } = await context.createProject();
        const { error_group_id } = await context.createReport();
        const group = await context.send(200, 'GET', `errors/${error_group_id}`);
        for (const value of [created_at, group.first_seen, group.last_seen, group.latest_report.received_at])
          expect(value).toMatch(time);
      },
    },
    {
      title: 'ids are positive and are not reused after a delete',
      covers: ['conv.ids.positive', 'conv.ids.not_reused', 'group.delete.again'],
      async run(context) {
        const seen = {
          projects: [] as number[],
          groups: [] as number[],
          reports: [] as number[],
          maps: [] as number[],
        };
        for (let round = 0; round < 3; round++) {
          const project = await context.createProject();
          const post = { project_api_key: project.api_key };
          const { error_group_id } = await context.createReport(post);
          const details = await context.send(200, 'GET', `errors/${error_group_id}`);
          seen.projects.push(project.id);
          seen.groups.push(error_group_id);
          seen.reports.push(details.latest_report.id);
          await context.send(204, 'DELETE', `errors/${error_group_id}`);
          const again = await context.createReport(post);
          expect(again.is_new_group).toBe(true);
          expect(again.fingerprint).toBe(details.fingerprint);
          seen.groups.push(again.error_group_id);
          await context.send(204, 'DELETE', `projects/${project.id}`);
        }
        for (const ids of Object.values(seen)) {
          expect(new Set(ids).size).toBe(ids.length);
          for (const id of ids) expect(Number.isSafeInteger(id) && id > 0).toBe(true);
        }
      },
    },
    {
      title: 'the id of a deleted object is not reused after a restart',
      covers: ['conv.ids.restart'],
      targets: ['file', 'program'],
      needsOwnServer: true,
      async run(context) {
        const project = await context.createProject();
        const { error_group_id } = await context.createReport({ project_api_key: project.api_key });
        await context.send(204, 'DELETE', `projects/${project.id}`);
        await context.restart();
        const next = await context.createProject();
        expect(next.id).toBeGreaterThan(project.id);
        expect((await context.createReport({ project_api_key: next.api_key })).error_group_id).toBeGreaterThan(
          error_group_id,
        );
      },
    },
    {
      title: 'lists are paginated, by default with 50 items a page',
      covers: ['conv.lists.page', 'conv.lists.default', 'conv.lists.past_end', 'list.total'],
      async run(context) {
        for (let index = 0; index < 53; index++)
          await context.createReport({ message: `Bug ${'abcdefghijklmnopqrstuvwxyz'.repeat(3).slice(index)}` });
        const list = `errors?project_id=${await context.fixture('project')}`;
        const first = await context.send(200, 'GET', list);
        expect(Object.keys(first).toSorted()).toEqual(['items', 'page', 'pages', 'size', 'total']);
        expect(first).toMatchObject({ total: 53, page: 1, size: 50, pages: 2 });
        expect(first.items).toHaveLength(50);
        const second = await context.send(200, 'GET', `${list}&page=2`);
        expect(second.items).toHaveLength(3);
        const all = [...first.items, ...second.items].map((item: { error_group_id: number }) => item.error_group_id);
        expect(new Set(all).size).toBe(53);
        expect(await context.send(200, 'GET', `${list}&page=3`)).toEqual({
          items: [],
          total: 53,
          page: 3,
          size: 50,
          pages: 2,
        });
        expect(await context.send(200, 'GET', `${list}&page=9&size=100`)).toEqual({
          items: [],
          total: 53,
          page: 9,
          size: 100,
          pages: 1,
        });
        expect((await context.send(200, 'GET', `${list}&size=1&page=53`)).items).toHaveLength(1);
        const maps = await context.send(200, 'GET', `projects/${await context.fixture('project')}/source-maps`);
        expect(maps).toEqual({ items: [], total: 0, page: 1, size: 50, pages: 0 });
      },
    },
    {
      title: 'page numbers and page sizes out of bounds return 422',
      covers: ['conv.lists.bounds'],
      steps: ['errors', 'errors/{group}/reports', 'projects/{project}/source-maps'].flatMap((path) => [
        ...[
          'page=0',
          'page=-1',
          'page=1.5',
          'page=one',
          'page=',
          'size=0',
          'size=101',
          'size=-5',
          'size=1e1',
          'page=1&page=2',
        ].map((query) => ({ request: `GET ${path}?${query}`, outcome: 'validation_failed' as const })),
        ...['page=1', 'size=1', 'size=100', 'page=1&size=100'].map((query) => ({
          request: `GET ${path}?${query}`,
          outcome: 200,
        })),
      ]),
    },
    {
      title: 'rotate accepts no body or {}, with or without a type',
      covers: ['conv.no_body.rotate'],
      steps: [
        { request: 'POST projects/{project}/api-key/rotate', outcome: 200 },
        { request: 'POST projects/{project}/api-key/rotate', body: {}, outcome: 200 },
        { request: 'POST projects/{project}/api-key/rotate', body: '', outcome: 200 },
        {
          request: 'POST projects/{project}/api-key/rotate',
          headers: { 'content-type': 'application/json' },
          outcome: 200,
        },
        {
          request: 'POST projects/{project}/api-key/rotate',
          body: '{}',
          headers: { 'content-type': 'text/plain' },
          outcome: 200,
        },
        { request: 'POST projects/{project}/api-key/rotate', body: { color: 'red' }, outcome: 'validation_failed' },
      ],
    },
    {
      title: 'health checks and the dashboard are directly below the base URL',
      covers: ['conv.prefix', 'program.healthz', 'program.readyz', 'program.page', 'conv.headers.nosniff', 'auth.open'],
      steps: [
        { request: 'GET /healthz', token: null, outcome: 200 },
        { request: 'GET /readyz', token: null, outcome: 200 },
        { request: 'GET /', token: null, outcome: 200, responseHeaders: { 'content-type': /^text\/html/ } },
      ],
    },
    {
      title: 'request and response bodies are UTF-8',
      covers: ['conv.bodies.in', 'conv.bodies.out'],
      steps: [
        {
          request: 'POST projects',
          body: { name: 'Größe 🙂 日本' },
          outcome: 201,
          matches: { name: 'Größe 🙂 日本' },
          save: { mine: 'id' },
        },
        { request: 'GET projects/{mine}', outcome: 200, matches: { name: 'Größe 🙂 日本' } },
      ],
    },
  ],
};
