import { expect } from 'vitest';
import type { Json } from '../api-call.ts';
import type { Suite } from '../suite.ts';

/** Projects and their keys. */
export const projects: Suite = {
  name: 'projects',
  tests: [
    {
      title: 'creating a project returns its name and key',
      covers: ['projects.create', 'projects.key.shape', 'projects.read', 'projects.name.trimmed'],
      async run(context) {
        const project = await context.send(201, 'POST', 'projects', { body: { name: '  Shop \n' } });
        expect(project).toEqual({
          id: expect.any(Number),
          name: 'Shop',
          api_key: expect.stringMatching(/^pk_[A-Za-z0-9_-]{32,}$/),
          created_at: expect.any(String),
        });
        expect(await context.send(200, 'GET', `projects/${project.id}`)).toEqual({
          ...project,
          dsn: expect.stringMatching(/^https?:\/\/[\da-f]{32}@[^/]+\/\d+$/),
        });
        expect(await context.send(200, 'GET', 'projects')).toContainEqual(project);
        expect((await context.createProject()).api_key).not.toBe(project.api_key);
      },
    },
    {
      title: 'a project name needs 1 to 200 characters after trimming',
      covers: ['projects.name.length'],
      steps: ['POST projects', 'PUT projects/{project}'].flatMap((request) => [
        { request, body: { name: 'n' }, outcome: request.startsWith('POST') ? 201 : 200 },
        { request, body: { name: ` ${'n'.repeat(200)} ` }, outcome: request.startsWith('POST') ? 201 : 200 },
        ...['', '   ', '\u00a0\t', 'n'.repeat(201), null, 5, ['n'], { n: 1 }].map((name) => ({
          request,
          body: { name },
          outcome: 'validation_failed' as const,
        })),
        { request, body: {}, outcome: 'validation_failed' as const },
      ]),
    },
    {
      title: 'projects are listed as an array, oldest first',
      covers: ['projects.list'],
      async run(context) {
        const made = [
          await context.createProject('B'),
          await context.createProject('A'),
          await context.createProject('C'),
        ];
        const list: Json[] = await context.send(200, 'GET', 'projects');
        expect(Array.isArray(list)).toBe(true);
        const ids = list.map(({ id }) => id);
        expect(ids).toEqual(ids.toSorted((one: number, other: number) => one - other));
        expect(list.slice(-3)).toEqual(made);
      },
    },
    {
      title: 'PUT renames a project',
      covers: ['projects.rename'],
      async run(context) {
        const project = await context.createProject();
        const renamed = await context.send(200, 'PUT', `projects/${project.id}`, { body: { name: ' Store ' } });
        expect(renamed).toEqual({ ...project, name: 'Store' });
        expect(await context.send(200, 'GET', `projects/${project.id}`)).toMatchObject(renamed);
      },
    },
    {
      title: 'deleting a project deletes its data and invalidates its key immediately',
      covers: ['projects.delete.all', 'projects.delete.key'],
      steps: [
        { request: 'GET projects/{project}', outcome: 200 },
        { request: 'GET errors/{group}/reports/{report}', outcome: 200 },
        { request: 'DELETE projects/{project}/source-maps/{map}', outcome: 204 },
        { request: 'DELETE projects/{project}', outcome: 204 },
        {
          request: 'POST errors',
          token: null,
          body: { project_api_key: '{key}', message: 'x' },
          outcome: 'invalid_api_key',
        },
        { request: 'GET projects/{project}', outcome: 'project_not_found' },
        { request: 'PUT projects/{project}', body: { name: 'x' }, outcome: 'project_not_found' },
        { request: 'DELETE projects/{project}', outcome: 'project_not_found' },
        { request: 'POST projects/{project}/api-key/rotate', outcome: 'project_not_found' },
        { request: 'GET projects/{project}/source-maps', outcome: 'project_not_found' },
        { request: 'GET projects/{project}/facets', outcome: 'project_not_found' },
        { request: 'GET errors?project_id={project}', outcome: 'project_not_found' },
        { request: 'GET errors/{group}', outcome: 'group_not_found' },
        { request: 'GET errors/{group}/reports', outcome: 'group_not_found' },
        { request: 'GET errors/{group}/reports/{report}', outcome: 'group_not_found' },
        { request: 'PATCH errors/{group}/status', body: { status: 'resolved' }, outcome: 'group_not_found' },
      ],
    },
    {
      title: 'after a rotation only the new key works',
      covers: ['projects.rotate.response', 'projects.rotate.old', 'projects.rotate.new', 'projects.key.shape'],
      async run(context) {
        const { id, api_key } = await context.createProject();
        expect((await context.report({ project_api_key: api_key })).status).toBe(200);
        const rotated = await context.send(200, 'POST', `projects/${id}/api-key/rotate`);
        expect(rotated).toEqual({ api_key: expect.stringMatching(/^pk_[A-Za-z0-9_-]{32,}$/) });
        expect(rotated.api_key).not.toBe(api_key);
        const old = await context.report({ project_api_key: api_key });
        expect([old.status, old.body.code]).toEqual([401, 'invalid_api_key']);
        expect((await context.report({ project_api_key: rotated.api_key })).status).toBe(200);
        expect((await context.send(200, 'GET', `projects/${id}`)).api_key).toBe(rotated.api_key);
      },
    },
    {
      title: 'no report with the old key is accepted after the response to a rotation',
      covers: ['projects.rotate.old'],
      async run(context) {
        for (let round = 0; round < 3; round++) {
          const { id, api_key } = await context.createProject();
          await context.report({ project_api_key: api_key });
          let hasRotated = false;
          const late: number[] = [];
          const senders = Array.from({ length: 8 }, async () => {
            for (let index = 0; index < 6; index++) {
              const hadRotated = hasRotated;
              const { status } = await context.report({ project_api_key: api_key });
              if (hadRotated) late.push(status);
            }
          });
          await context.send(200, 'POST', `projects/${id}/api-key/rotate`);
          hasRotated = true;
          await Promise.all(senders);
          expect(new Set([...late, 401])).toEqual(new Set([401]));
        }
      },
    },
    {
      title: 'of 50 concurrent rotations exactly one key stays valid',
      covers: ['projects.rotate.race'],
      async run(context) {
        const { id, api_key } = await context.createProject();
        const rotations = await Promise.all(
          Array.from({ length: 50 }, () => context.call('POST', `projects/${id}/api-key/rotate`)),
        );
        expect(new Set(rotations.map(({ status }) => status))).toEqual(new Set([200]));
        const keys = rotations.map(({ body }) => body.api_key as string);
        expect(new Set(keys).size).toBe(50);
        const statuses = await Promise.all(
          [api_key, ...keys].map(async (key) => (await context.report({ project_api_key: key })).status),
        );
        expect(statuses.filter((status) => status === 200)).toHaveLength(1);
        expect(statuses.filter((status) => status === 401)).toHaveLength(50);
        const valid = [api_key, ...keys][statuses.indexOf(200)];
        expect((await context.send(200, 'GET', `projects/${id}`)).api_key).toBe(valid);
      },
    },
    {
      title: 'a project key can only send reports',
      covers: ['projects.key.sends_only', 'auth.key_in_body'],
      steps: [
        { request: 'POST errors', token: null, body: { project_api_key: '{key}', message: 'x' }, outcome: 200 },
        { request: 'GET projects', token: '{key}', outcome: 'invalid_token' },
        { request: 'GET errors', token: '{key}', outcome: 'invalid_token' },
        { request: 'POST errors', token: '{key}', body: { message: 'x' }, outcome: 'validation_failed' },
        {
          request: 'POST errors',
          token: 'no-token-at-all',
          body: { project_api_key: '{key}', message: 'x' },
          outcome: 200,
        },
      ],
    },
    {
      title: 'facets are the values of the reports, newest first',
      covers: ['facets.response'],
      async run(context) {
        for (const [environment, release] of [
          ['staging', '1'],
          ['production', '2'],
          ['staging', '3'],
        ])
          await context.createReport({ environment, release });
        expect(await context.send(200, 'GET', `projects/${await context.fixture('project')}/facets`)).toEqual({
          environments: ['staging', 'production'],
          releases: ['3', '2', '1'],
          tags: [],
        });
        const empty = await context.createProject();
        expect(await context.send(200, 'GET', `projects/${empty.id}/facets`)).toEqual({
          environments: [],
          releases: [],
          tags: [],
        });
      },
    },
    {
      title: 'facets keep the newest 100 values each',
      covers: ['facets.max'],
      async run(context) {
        for (let index = 0; index < 105; index++)
          await context.createReport({ environment: `e${index}`, release: `r${index}` });
        const { environments, releases } = await context.send(
          200,
          'GET',
          `projects/${await context.fixture('project')}/facets`,
        );
        expect([environments.length, releases.length]).toEqual([100, 100]);
        expect([environments[0], environments[99], releases[0], releases[99]]).toEqual(['e104', 'e5', 'r104', 'r5']);
      },
    },
    {
      title: 'facets have the tags of most groups first, and at most 50 names with 20 values each',
      covers: ['facets.tags'],
      async run(context) {
        for (let index = 0; index < 21; index++)
          await context.createReport({
            fingerprint: [`bug ${index}`],
            tags: { plan: index < 2 ? 'gold' : 'free', shop: `s${index}` },
          });
        for (let index = 0; index < 60; index++)
          await context.createReport({ message: 'many names', tags: { [`name ${index}`]: 'x' } });
        const { tags } = await context.send(200, 'GET', `projects/${await context.fixture('project')}/facets`);
        expect(tags[0]).toEqual({ name: 'plan', values: ['free', 'gold'] });
        expect(tags[1].name).toBe('shop');
        expect(tags[1].values).toHaveLength(20);
        expect(tags.length).toBe(2 + 16);
        const { access_token: token } = await context.signUp();
        const team = [await context.createProject('Shop', { token }), await context.createProject('Blog', { token })];
        for (let index = 0; index < 60; index++)
          await context.createReport({
            project_api_key: team[index % 2]?.api_key,
            fingerprint: [`bug ${index}`],
            tags: { [`name ${index}`]: 'x' },
          });
        expect((await context.send(200, 'GET', 'facets', { token })).tags).toHaveLength(50);
      },
    },
    {
      title: 'facets of a team are the union over its own projects',
      covers: ['facets.team'],
      async run(context) {
        const [{ access_token: token }, stranger] = await Promise.all([context.signUp(), context.signUp()]);
        const shop = await context.createProject('Shop', { token });
        const blog = await context.createProject('Blog', { token });
        const report = ({ api_key }: { api_key: string }, environment: string, release: string) =>
          context.createReport({ project_api_key: api_key, environment, release });
        for (let index = 0; index < 105; index++) await report(shop, 'production', `shop-${index}`);
        for (const release of ['blog-1', 'blog-2']) await report(blog, 'staging', release);
        const { environments, releases } = await context.send(200, 'GET', 'facets', { token });
        expect(environments).toEqual(['production', 'staging']);
        // A project with many releases must not displace those of another.
        expect(releases).toHaveLength(100);
        expect(releases.slice(0, 5)).toEqual(['shop-104', 'blog-2', 'shop-103', 'blog-1', 'shop-102']);
        expect(await context.send(200, 'GET', 'facets', { token: stranger.access_token })).toEqual({
          environments: [],
          releases: [],
          tags: [],
        });
      },
    },
  ],
};
