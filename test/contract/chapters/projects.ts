import { expect } from 'vitest';
import type { Json } from '../answer.ts';
import type { Chapter } from '../chapter.ts';

/** Projects and their keys. */
export const projects: Chapter = {
  name: 'projects',
  tests: [
    {
      title: 'a project is made with a name and gets a key',
      proves: ['projects.create', 'projects.key.shape', 'projects.read', 'projects.name.trimmed'],
      async run(scene) {
        const project = await scene.get(201, 'POST', 'projects', { body: { name: '  Shop \n' } });
        expect(project).toEqual({
          id: expect.any(Number),
          name: 'Shop',
          api_key: expect.stringMatching(/^pk_[A-Za-z0-9_-]{32,}$/),
          created_at: expect.any(String),
        });
        expect(await scene.get(200, 'GET', `projects/${project.id}`)).toEqual(project);
        expect(await scene.get(200, 'GET', 'projects')).toContainEqual(project);
        expect((await scene.newProject()).api_key).not.toBe(project.api_key);
      },
    },
    {
      title: 'a name has 1 to 200 characters after trimming',
      proves: ['projects.name.length'],
      steps: ['POST projects', 'PUT projects/{project}'].flatMap((ask) => [
        { ask, body: { name: 'n' }, get: ask.startsWith('POST') ? 201 : 200 },
        { ask, body: { name: ` ${'n'.repeat(200)} ` }, get: ask.startsWith('POST') ? 201 : 200 },
        ...['', '   ', '\u00a0\t', 'n'.repeat(201), null, 5, ['n'], { n: 1 }].map((name) => ({
          ask,
          body: { name },
          get: 'validation_failed' as const,
        })),
        { ask, body: {}, get: 'validation_failed' as const },
      ]),
    },
    {
      title: 'projects are listed as an array, oldest first',
      proves: ['projects.list'],
      async run(scene) {
        const made = [await scene.newProject('B'), await scene.newProject('A'), await scene.newProject('C')];
        const list: Json[] = await scene.get(200, 'GET', 'projects');
        expect(Array.isArray(list)).toBe(true);
        const ids = list.map(({ id }) => id);
        expect(ids).toEqual(ids.toSorted((one: number, other: number) => one - other));
        expect(list.slice(-3)).toEqual(made);
      },
    },
    {
      title: 'a project is renamed',
      proves: ['projects.rename'],
      async run(scene) {
        const project = await scene.newProject();
        const renamed = await scene.get(200, 'PUT', `projects/${project.id}`, { body: { name: ' Store ' } });
        expect(renamed).toEqual({ ...project, name: 'Store' });
        expect(await scene.get(200, 'GET', `projects/${project.id}`)).toEqual(renamed);
      },
    },
    {
      title: 'with a project all that it had is gone, and its key at once',
      proves: ['projects.delete.all', 'projects.delete.key'],
      steps: [
        { ask: 'GET projects/{project}', get: 200 },
        { ask: 'GET errors/{group}/reports/{report}', get: 200 },
        { ask: 'DELETE projects/{project}/source-maps/{map}', get: 204 },
        { ask: 'DELETE projects/{project}', get: 204 },
        { ask: 'POST errors', as: null, body: { project_api_key: '{key}', message: 'x' }, get: 'invalid_api_key' },
        { ask: 'GET projects/{project}', get: 'project_not_found' },
        { ask: 'PUT projects/{project}', body: { name: 'x' }, get: 'project_not_found' },
        { ask: 'DELETE projects/{project}', get: 'project_not_found' },
        { ask: 'POST projects/{project}/api-key/rotate', get: 'project_not_found' },
        { ask: 'GET projects/{project}/source-maps', get: 'project_not_found' },
        { ask: 'GET projects/{project}/facets', get: 'project_not_found' },
        { ask: 'GET errors?project_id={project}', get: 'project_not_found' },
        { ask: 'GET errors/{group}', get: 'group_not_found' },
        { ask: 'GET errors/{group}/reports', get: 'group_not_found' },
        { ask: 'GET errors/{group}/reports/{report}', get: 'group_not_found' },
        { ask: 'PATCH errors/{group}/status', body: { status: 'resolved' }, get: 'group_not_found' },
      ],
    },
    {
      title: 'after a rotation the old key is refused and the new one taken',
      proves: ['projects.rotate.answer', 'projects.rotate.old', 'projects.rotate.new', 'projects.key.shape'],
      async run(scene) {
        const { id, api_key } = await scene.newProject();
        expect((await scene.report({ project_api_key: api_key })).status).toBe(200);
        const rotated = await scene.get(200, 'POST', `projects/${id}/api-key/rotate`);
        expect(rotated).toEqual({ api_key: expect.stringMatching(/^pk_[A-Za-z0-9_-]{32,}$/) });
        expect(rotated.api_key).not.toBe(api_key);
        const old = await scene.report({ project_api_key: api_key });
        expect([old.status, old.body.code]).toEqual([401, 'invalid_api_key']);
        expect((await scene.report({ project_api_key: rotated.api_key })).status).toBe(200);
        expect((await scene.get(200, 'GET', `projects/${id}`)).api_key).toBe(rotated.api_key);
      },
    },
    {
      title: 'reports that come while a key is rotated: none is taken with the old one once the answer is there',
      proves: ['projects.rotate.old'],
      async run(scene) {
        for (let round = 0; round < 3; round++) {
          const { id, api_key } = await scene.newProject();
          await scene.report({ project_api_key: api_key });
          let isAnswered = false;
          const late: number[] = [];
          const rush = Array.from({ length: 8 }, async () => {
            for (let index = 0; index < 6; index++) {
              const wasAnswered = isAnswered;
              const { status } = await scene.report({ project_api_key: api_key });
              if (wasAnswered) late.push(status);
            }
          });
          await scene.get(200, 'POST', `projects/${id}/api-key/rotate`);
          isAnswered = true;
          await Promise.all(rush);
          expect(new Set([...late, 401])).toEqual(new Set([401]));
        }
      },
    },
    {
      title: 'of 50 rotations at once exactly one key stays valid',
      proves: ['projects.rotate.race'],
      async run(scene) {
        const { id, api_key } = await scene.newProject();
        const rotations = await Promise.all(
          Array.from({ length: 50 }, () => scene.call('POST', `projects/${id}/api-key/rotate`)),
        );
        expect(new Set(rotations.map(({ status }) => status))).toEqual(new Set([200]));
        const keys = rotations.map(({ body }) => body.api_key as string);
        expect(new Set(keys).size).toBe(50);
        const statuses = await Promise.all(
          [api_key, ...keys].map(async (key) => (await scene.report({ project_api_key: key })).status),
        );
        expect(statuses.filter((status) => status === 200)).toHaveLength(1);
        expect(statuses.filter((status) => status === 401)).toHaveLength(50);
        const valid = [api_key, ...keys][statuses.indexOf(200)];
        expect((await scene.get(200, 'GET', `projects/${id}`)).api_key).toBe(valid);
      },
    },
    {
      title: 'a key can send reports and nothing else',
      proves: ['projects.key.sends_only', 'auth.key_in_body'],
      steps: [
        { ask: 'POST errors', as: null, body: { project_api_key: '{key}', message: 'x' }, get: 200 },
        { ask: 'GET projects', as: '{key}', get: 'invalid_token' },
        { ask: 'GET errors', as: '{key}', get: 'invalid_token' },
        { ask: 'POST errors', as: '{key}', body: { message: 'x' }, get: 'validation_failed' },
        { ask: 'POST errors', as: 'no-token-at-all', body: { project_api_key: '{key}', message: 'x' }, get: 200 },
      ],
    },
    {
      title: 'facets are the values that reports had, newest first',
      proves: ['facets.answer'],
      async run(scene) {
        for (const [environment, release] of [
          ['staging', '1'],
          ['production', '2'],
          ['staging', '3'],
        ])
          await scene.accepted({ environment, release });
        expect(await scene.get(200, 'GET', `projects/${await scene.know('project')}/facets`)).toEqual({
          environments: ['staging', 'production'],
          releases: ['3', '2', '1'],
        });
        const empty = await scene.newProject();
        expect(await scene.get(200, 'GET', `projects/${empty.id}/facets`)).toEqual({ environments: [], releases: [] });
      },
    },
    {
      title: 'facets are 100 each at most, the newest ones',
      proves: ['facets.most'],
      async run(scene) {
        for (let index = 0; index < 105; index++)
          await scene.accepted({ environment: `e${index}`, release: `r${index}` });
        const { environments, releases } = await scene.get(
          200,
          'GET',
          `projects/${await scene.know('project')}/facets`,
        );
        expect([environments.length, releases.length]).toEqual([100, 100]);
        expect([environments[0], environments[99], releases[0], releases[99]]).toEqual(['e104', 'e5', 'r104', 'r5']);
      },
    },
    {
      title: 'facets of a team are the union over its projects, and no other team sees them',
      proves: ['facets.team'],
      async run(scene) {
        const [{ access_token: token }, stranger] = await Promise.all([scene.signUp(), scene.signUp()]);
        const shop = await scene.newProject('Shop', { token });
        const blog = await scene.newProject('Blog', { token });
        const report = ({ api_key }: { api_key: string }, environment: string, release: string) =>
          scene.accepted({ project_api_key: api_key, environment, release });
        for (let index = 0; index < 105; index++) await report(shop, 'production', `shop-${index}`);
        for (const release of ['blog-1', 'blog-2']) await report(blog, 'staging', release);
        const { environments, releases } = await scene.get(200, 'GET', 'facets', { token });
        expect(environments).toEqual(['production', 'staging']);
        // The many releases of one project leave room for those of the other.
        expect(releases).toHaveLength(100);
        expect(releases.slice(0, 5)).toEqual(['shop-104', 'blog-2', 'shop-103', 'blog-1', 'shop-102']);
        expect(await scene.get(200, 'GET', 'facets', { token: stranger.access_token })).toEqual({
          environments: [],
          releases: [],
        });
      },
    },
  ],
};
