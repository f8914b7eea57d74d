import type { Facets, Project } from '@service/protocol';
import { expect, test } from 'vitest';
import { describeInMemory, describeService } from '../test-utils/describe-service.ts';

describeService('projects', (start) => {
  test('projects are created, listed, read, renamed and deleted', async () => {
    const { call, project } = await start();
    expect(project).toEqual({
      id: 1,
      name: 'Shop',
      api_key: expect.stringMatching(/^pk_[\w-]{32,}$/),
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    });
    const created = await call<Project>('POST', 'projects', { body: { name: '  Blog  ' } });
    expect([created.status, created.body.name]).toEqual([201, 'Blog']);
    expect((await call('GET', 'projects')).body).toEqual([project, created.body]);
    expect((await call('PUT', 'projects/2', { body: { name: 'News' } })).body).toEqual({
      ...created.body,
      name: 'News',
    });
    expect((await call('GET', 'projects/2')).body.name).toBe('News');
    const deleted = await call('DELETE', 'projects/2');
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect((await call('GET', 'projects/2')).status).toBe(404);
    expect((await call('DELETE', 'projects/2')).status).toBe(404);
    expect((await call<Project>('POST', 'projects', { body: { name: 'Next' } })).body.id).toBe(3);
  });

  test('rotation replaces the API key: the previous key is rejected, the new one works', async () => {
    const { call, report, project } = await start();
    expect((await report()).status).toBe(200);
    const { body } = await call('POST', `projects/${project.id}/api-key/rotate`);
    expect(body).toEqual({ api_key: expect.stringMatching(/^pk_/) });
    expect((await report()).status).toBe(401);
    expect((await report({ project_api_key: body.api_key })).body).toMatchObject({
      error_group_id: 1,
      is_new_group: false,
    });
  });

  test('one API key is valid after concurrent rotations', async () => {
    const { call, report } = await start();
    const responses = await Promise.all(Array.from({ length: 50 }, () => call('POST', 'projects/1/api-key/rotate')));
    const statuses = await Promise.all(
      responses.map(async ({ body }) => (await report({ project_api_key: body.api_key })).status),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 401)).toHaveLength(49);
  });

  test('deleting a project deletes its groups and its API key', async () => {
    const { call, report } = await start();
    await report();
    await call('DELETE', 'projects/1');
    expect((await report()).status).toBe(401);
    expect((await call('GET', 'errors/1')).status).toBe(404);
    expect((await call('GET', 'errors')).body.total).toBe(0);
  });

  test('facets list the environments and releases of reports, newest first', async () => {
    const { call, report } = await start();
    for (const [environment, release] of [
      ['production', '1.0'],
      ['staging', '1.1'],
      ['production', '1.2'],
    ]) {
      await report({ environment, release });
    }
    expect((await call<Facets>('GET', 'projects/1/facets')).body).toEqual({
      environments: ['production', 'staging'],
      releases: ['1.2', '1.1', '1.0'],
      tags: [],
    });
  });
});

describeInMemory('the list of groups', (start) => {
  test('the list of groups is filtered, searched, ordered and paginated', async () => {
    const { call, report } = await start();
    await call('POST', 'projects', { body: { name: 'Blog' } });
    await report({
      type: 'TypeError',
      message: 'Cart total missing',
      environment: 'production',
      release: '1.0',
      url: 'https://a.example/cart',
    });
    await report({
      type: 'RangeError',
      message: 'Too many pages',
      environment: 'staging',
      release: '1.1',
      user: { id: 'a' },
    });
    await report({
      type: 'RangeError',
      message: 'Too many pages',
      environment: 'staging',
      release: '1.2',
      user: { id: 'b' },
    });
    await report({ type: 'Error', message: 'Quiet thing', environment: 'production' });
    await call('PATCH', 'errors/3/status', { body: { status: 'resolved' } });
    const ids = async (query: string): Promise<unknown> =>
      (await call('GET', `errors?${query}`)).body.items?.map((group) => group.error_group_id);
    expect(await ids('')).toEqual([3, 2, 1]);
    expect(await ids('order=asc')).toEqual([1, 2, 3]);
    expect(await ids('sort=count')).toEqual([2, 3, 1]);
    expect(await ids('sort=count&order=asc')).toEqual([1, 3, 2]);
    expect(await ids('sort=users&order=desc')).toEqual([2, 3, 1]);
    expect(await ids('sort=first_seen')).toEqual([3, 2, 1]);
    expect(await ids('environment=production')).toEqual([3, 1]);
    expect(await ids('release=1.1')).toEqual([2]);
    expect(await ids('status=resolved')).toEqual([3]);
    expect(await ids('status=active')).toEqual([2, 1]);
    expect(await ids('search=CART%20typeerror')).toEqual([1]);
    expect(await ids('search=a.example')).toEqual([1]);
    expect(await ids('search=1.2')).toEqual([2]);
    expect(await ids('search=nowhere')).toEqual([]);
    expect(await ids('project_id=1')).toEqual([3, 2, 1]);
    expect(await ids('project_id=2')).toEqual([]);
    expect(await ids('size=2')).toEqual([3, 2]);
    expect(await ids('size=2&page=2')).toEqual([1]);
    expect((await call('GET', 'errors?size=2&page=9')).body).toEqual({
      items: [],
      total: 3,
      page: 9,
      size: 2,
      pages: 2,
    });
  });

  test('setting the current status changes nothing, and an unknown status is rejected', async () => {
    const { call, report } = await start();
    await report();
    const first = await call('PATCH', 'errors/1/status', { body: { status: 'resolved' } });
    expect((await call('PATCH', 'errors/1/status', { body: { status: 'resolved' } })).text).toBe(first.text);
    expect((await call('PATCH', 'errors/1/status', { body: { status: 'active' } })).body).toMatchObject({
      status: 'active',
      resolved_at: null,
    });
    expect((await call('PATCH', 'errors/1/status', { body: { status: 'ignored' } })).status).toBe(422);
  });
});
