import { expect } from 'vitest';
import type { Chapter } from '../chapter.ts';
import { operations } from '../operations.ts';

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** What holds for all paths, and is asked of some. */
export const conventions: Chapter = {
  name: 'conventions',
  tests: [
    {
      title: 'an unknown path is 404, whoever asks, and its URL is not told',
      proves: ['conv.path.unknown', 'conv.url.not_reflected', 'problem.not_found'],
      steps: [
        ...['GET', 'POST', 'DELETE'].map((method) => ({
          ask: `${method} nothing/hunter2here`,
          get: 'not_found' as const,
          lacks: ['hunter2'],
        })),
        { ask: 'GET nothing/hunter2here', as: null, get: 'not_found', lacks: ['hunter2'] },
        { ask: 'GET /nothing/hunter2here', as: null, get: 'not_found', lacks: ['hunter2'] },
        { ask: 'GET /api/v2/projects', get: 'not_found' },
        { ask: 'GET /errors', get: 'not_found' },
        { ask: 'GET /api/v1', get: 'not_found' },
        { ask: 'GET /api/v1/healthz', get: 'not_found' },
      ],
    },
    {
      title: 'a path that can not be decoded is 400',
      proves: ['problem.bad_request'],
      steps: [
        { ask: 'GET /%ZZhunter2', get: 'bad_request', lacks: ['hunter2'] },
        { ask: 'GET projects/%E0%A4%A', get: 'bad_request' },
      ],
    },
    {
      title: 'an unknown method is 405 and told which are known',
      proves: ['conv.method.other', 'conv.url.not_reflected', 'problem.method_not_allowed'],
      async run(scene) {
        const all = [
          ...operations,
          { path: 'errors', method: 'POST' },
          { path: 'auth/session', method: 'DELETE' },
          { path: 'auth/logout', method: 'POST' },
        ];
        const fill = (path: string): string => path.replaceAll(/\{[a-z]+\}/gi, '1');
        for (const path of new Set(all.map((operation) => fill(operation.path)))) {
          const allowed = new Set(all.filter((operation) => fill(operation.path) === path).map(({ method }) => method));
          for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PURGE']) {
            if (allowed.has(method)) continue;
            const { status, body, headers, text } = await scene.call(method, `${path}?q=hunter2here`, {
              token: null,
            });
            expect([method, path, status, body.code]).toEqual([method, path, 405, 'method_not_allowed']);
            const told = (headers.get('allow') ?? '').split(',').map((name) => name.trim());
            for (const name of allowed) expect(told, `${path}: Allow`).toContain(name);
            expect(told, `${path}: Allow`).not.toContain(method);
            expect(text).not.toContain('hunter2');
          }
        }
      },
    },
    {
      title: 'HEAD is answered as GET, without the body',
      proves: ['conv.head'],
      async run(scene) {
        const project = await scene.know('project');
        for (const [path, status] of [
          ['projects', 200],
          [`projects/${project}`, 200],
          ['projects/900000000000', 404],
          ['errors?size=0', 422],
          ['nothing', 404],
          ['/healthz', 200],
        ] as const) {
          const head = await scene.call('HEAD', path);
          expect([path, head.status, head.text]).toEqual([path, status, '']);
          const get = await scene.call('GET', path);
          expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
        }
        expect((await scene.call('HEAD', 'projects', { token: null })).status).toBe(401);
      },
    },
    {
      title: 'the id of a request is kept if it is a good one',
      proves: ['conv.request_id.kept', 'problem.request_id'],
      steps: ['a', 'abc_DEF-123', 'x'.repeat(64)].flatMap((id) =>
        [
          { ask: 'GET projects', get: 200 },
          { ask: 'GET nothing', get: 404 },
          { ask: 'POST errors', body: {}, get: 422 },
          { ask: 'GET /healthz', get: 200 },
        ].map((step) => ({ ...step, headers: { 'x-request-id': id }, head: { 'x-request-id': id } })),
      ),
    },
    {
      title: 'any other id is replaced',
      proves: ['conv.request_id.replaced'],
      steps: ['', 'x'.repeat(65), 'has spaces', 'semi;colon', 'dot.dot', 'a,b', 'ümlaut'].flatMap((id) =>
        ['GET projects', 'GET nothing', 'POST errors'].map((ask) => ({
          ask,
          get: ask === 'GET projects' ? 200 : ask === 'GET nothing' ? 404 : 422,
          ...(ask === 'POST errors' ? { body: {} } : {}),
          headers: { 'x-request-id': id },
          head: { 'x-request-id': /^(?!x{64,})[A-Za-z0-9_-]{16,64}$/ },
        })),
      ),
    },
    {
      title: 'large answers are gzipped for those who ask',
      proves: ['conv.compression.answers'],
      async run(scene) {
        const { error_group_id } = await scene.accepted({
          stacktrace: 'at f (https://a.example/a.js:1:1)\n'.repeat(200),
        });
        const path = `errors/${error_group_id}`;
        const packed = await scene.call('GET', path, { headers: { 'accept-encoding': 'gzip' } });
        expect(packed.headers.get('content-encoding')).toBe('gzip');
        expect(packed.headers.get('vary')?.toLowerCase()).toContain('accept-encoding');
        const plain = await scene.call('GET', path, { headers: { 'accept-encoding': 'identity' } });
        expect(plain.headers.get('content-encoding')).toBeNull();
        expect(plain.body.error_group_id).toBe(error_group_id);
        const refused = await scene.call('GET', path, { headers: { 'accept-encoding': 'gzip;q=0' } });
        expect(refused.headers.get('content-encoding')).toBeNull();
      },
    },
    {
      title: 'times are ISO 8601 in UTC with milliseconds',
      proves: ['conv.times'],
      async run(scene) {
        const { created_at } = await scene.newProject();
        const { error_group_id } = await scene.accepted();
        const group = await scene.get(200, 'GET', `errors/${error_group_id}`);
        for (const value of [created_at, group.first_seen, group.last_seen, group.latest_report.received_at])
          expect(value).toMatch(time);
      },
    },
    {
      title: 'ids are positive, and none is used again after a delete',
      proves: ['conv.ids.positive', 'conv.ids.not_reused', 'group.delete.again'],
      async run(scene) {
        const seen = {
          projects: [] as number[],
          groups: [] as number[],
          reports: [] as number[],
          maps: [] as number[],
        };
        for (let round = 0; round < 3; round++) {
          const project = await scene.newProject();
          const post = { project_api_key: project.api_key };
          const { error_group_id } = await scene.accepted(post);
          const details = await scene.get(200, 'GET', `errors/${error_group_id}`);
          seen.projects.push(project.id);
          seen.groups.push(error_group_id);
          seen.reports.push(details.latest_report.id);
          await scene.get(204, 'DELETE', `errors/${error_group_id}`);
          const again = await scene.accepted(post);
          expect(again.is_new_group).toBe(true);
          expect(again.fingerprint).toBe(details.fingerprint);
          seen.groups.push(again.error_group_id);
          await scene.get(204, 'DELETE', `projects/${project.id}`);
        }
        for (const ids of Object.values(seen)) {
          expect(new Set(ids).size).toBe(ids.length);
          for (const id of ids) expect(Number.isSafeInteger(id) && id > 0).toBe(true);
        }
      },
    },
    {
      title: 'an id of something deleted is not given again by the next start',
      proves: ['conv.ids.restart'],
      places: ['file', 'program'],
      isAlone: true,
      async run(scene) {
        const project = await scene.newProject();
        const { error_group_id } = await scene.accepted({ project_api_key: project.api_key });
        await scene.get(204, 'DELETE', `projects/${project.id}`);
        await scene.restart();
        const next = await scene.newProject();
        expect(next.id).toBeGreaterThan(project.id);
        expect((await scene.accepted({ project_api_key: next.api_key })).error_group_id).toBeGreaterThan(
          error_group_id,
        );
      },
    },
    {
      title: 'lists are pages, 50 long unless said otherwise',
      proves: ['conv.lists.page', 'conv.lists.default', 'conv.lists.past_end', 'list.total'],
      async run(scene) {
        for (let index = 0; index < 53; index++)
          await scene.accepted({ message: `Bug ${'abcdefghijklmnopqrstuvwxyz'.repeat(3).slice(index)}` });
        const list = `errors?project_id=${await scene.know('project')}`;
        const first = await scene.get(200, 'GET', list);
        expect(Object.keys(first).toSorted()).toEqual(['items', 'page', 'pages', 'size', 'total']);
        expect(first).toMatchObject({ total: 53, page: 1, size: 50, pages: 2 });
        expect(first.items).toHaveLength(50);
        const second = await scene.get(200, 'GET', `${list}&page=2`);
        expect(second.items).toHaveLength(3);
        const all = [...first.items, ...second.items].map((item: { error_group_id: number }) => item.error_group_id);
        expect(new Set(all).size).toBe(53);
        expect(await scene.get(200, 'GET', `${list}&page=3`)).toEqual({
          items: [],
          total: 53,
          page: 3,
          size: 50,
          pages: 2,
        });
        expect(await scene.get(200, 'GET', `${list}&page=9&size=100`)).toEqual({
          items: [],
          total: 53,
          page: 9,
          size: 100,
          pages: 1,
        });
        expect((await scene.get(200, 'GET', `${list}&size=1&page=53`)).items).toHaveLength(1);
        const maps = await scene.get(200, 'GET', `projects/${await scene.know('project')}/source-maps`);
        expect(maps).toEqual({ items: [], total: 0, page: 1, size: 50, pages: 0 });
      },
    },
    {
      title: 'pages and sizes have bounds',
      proves: ['conv.lists.bounds'],
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
        ].map((query) => ({ ask: `GET ${path}?${query}`, get: 'validation_failed' as const })),
        ...['page=1', 'size=1', 'size=100', 'page=1&size=100'].map((query) => ({
          ask: `GET ${path}?${query}`,
          get: 200,
        })),
      ]),
    },
    {
      title: 'rotate takes nothing or {}, with or without a type',
      proves: ['conv.no_body.rotate'],
      steps: [
        { ask: 'POST projects/{project}/api-key/rotate', get: 200 },
        { ask: 'POST projects/{project}/api-key/rotate', body: {}, get: 200 },
        { ask: 'POST projects/{project}/api-key/rotate', body: '', get: 200 },
        { ask: 'POST projects/{project}/api-key/rotate', headers: { 'content-type': 'application/json' }, get: 200 },
        {
          ask: 'POST projects/{project}/api-key/rotate',
          body: '{}',
          headers: { 'content-type': 'text/plain' },
          get: 200,
        },
        { ask: 'POST projects/{project}/api-key/rotate', body: { colour: 'red' }, get: 'validation_failed' },
      ],
    },
    {
      title: 'the pages of the base URL are there, and marked as what they are',
      proves: ['conv.prefix', 'program.healthz', 'program.readyz', 'program.page', 'conv.headers.nosniff', 'auth.open'],
      steps: [
        { ask: 'GET /healthz', as: null, get: 200 },
        { ask: 'GET /readyz', as: null, get: 200 },
        { ask: 'GET /', as: null, get: 200, head: { 'content-type': /^text\/html/ } },
      ],
    },
    {
      title: 'text is UTF-8 both ways',
      proves: ['conv.bodies.in', 'conv.bodies.out'],
      steps: [
        {
          ask: 'POST projects',
          body: { name: 'Größe 🙂 日本' },
          get: 201,
          holds: { name: 'Größe 🙂 日本' },
          keep: { mine: 'id' },
        },
        { ask: 'GET projects/{mine}', get: 200, holds: { name: 'Größe 🙂 日本' } },
      ],
    },
  ],
};
