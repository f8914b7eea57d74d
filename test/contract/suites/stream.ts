import { expect } from 'vitest';
import { toLetters } from '../../test-utils/to-letters.ts';
import type { Json } from '../api-call.ts';
import { openCookieSession } from '../session-calls.ts';
import { setStatus } from '../set-status.ts';
import { eventsWithPrefix, StreamReader, withStreamReader } from '../stream-reader.ts';
import type { Suite } from '../suite.ts';

/** The events of the live stream. */
export const stream: Suite = {
  name: 'stream',
  tests: [
    {
      title: 'a stream starts immediately, with headers that prevent buffering',
      covers: ['stream.open', 'stream.headers', 'stream.begin', 'stream.head'],
      async run(context) {
        const options = { headers: { 'accept-encoding': 'gzip' } };
        const reader = await StreamReader.open(context, '', options);
        await reader.waitUntil(() => reader.comments > 0, 'a comment');
        expect(reader.text).toMatch(/^retry: 1000\n:/);
        expect(reader.headers.get('content-type')).toMatch(/^text\/event-stream/);
        expect(reader.headers.get('cache-control')).toBe('no-cache, no-transform');
        expect(reader.headers.get('x-accel-buffering')).toBe('no');
        expect(reader.headers.get('content-encoding')).toBeNull();
        await reader.close();
        const head = await context.call('HEAD', 'stream', options);
        expect([head.status, head.text]).toEqual([200, '']);
        for (const name of ['content-type', 'cache-control', 'x-accel-buffering'])
          expect(head.headers.get(name)).toBe(reader.headers.get(name));
      },
    },
    {
      title: 'a stream needs a valid token or session cookie',
      covers: ['stream.open', 'auth.session.reads'],
      targets: ['memory', 'program'],
      async run(context) {
        const options = { token: null, headers: { cookie: (await openCookieSession(context)).pair } };
        const reader = await StreamReader.open(context, `?project_id=${await context.fixture('project')}`, options);
        await context.createReport();
        await reader.next('group.created');
        await reader.close();
        expect(await context.outcome('GET', 'stream', { token: null })).toBe('missing_token');
        expect(
          await context.outcome('GET', 'stream', { token: null, headers: { cookie: `${options.headers.cookie}x` } }),
        ).toBe('invalid_token');
        expect(await context.outcome('GET', 'stream', { token: await context.fixture('key') })).toBe('invalid_token');
      },
    },
    {
      title: 'a stream with an invalid query or an unknown project is rejected',
      covers: ['stream.query', 'stream.foreign_project'],
      steps: [
        { request: 'GET stream?project_id=abc', outcome: 'validation_failed' },
        { request: 'GET stream?project_id=0', outcome: 'validation_failed' },
        { request: 'GET stream?project_id={project}&project_id={project}', outcome: 'validation_failed' },
        { request: 'GET stream?color=red', outcome: 'validation_failed' },
        { request: 'GET stream?project_id=900000000000', outcome: 'project_not_found' },
        { request: 'GET stream?project_id={project}', token: '{stranger}', outcome: 'project_not_found' },
        { request: 'HEAD stream?project_id=900000000000', outcome: 404 },
      ],
    },
    {
      title: 'changes of a group are published with its list record',
      covers: [
        'stream.event',
        'stream.group.created',
        'stream.group.updated',
        'stream.group.reopened',
        'stream.group.status',
        'stream.group.deleted',
      ],
      async run(context) {
        const project = Number(await context.fixture('project'));
        await withStreamReader(context, async (reader) => {
          const { error_group_id: id } = await context.createReport({ release: '1.0.0' });
          const record = async (): Promise<Json> =>
            (await context.send(200, 'GET', `errors?project_id=${project}`)).items[0];
          const created = await reader.next('group.created');
          expect(created).toEqual({
            type: 'group.created',
            project_id: project,
            at: created.at,
            group: await record(),
          });
          await context.createReport({ release: '1.0.1' });
          const updated = await reader.next('group.updated');
          expect(updated.group).toEqual(await record());
          expect(updated.group).toMatchObject({ error_group_id: id, count: 2, last_release: '1.0.1' });
          const resolved = await setStatus(context, id, 'resolved');
          expect((await reader.next('group.resolved')).group).toEqual(resolved);
          await context.createReport();
          expect(await reader.next('group.reopened')).toMatchObject({
            project_id: project,
            group: { status: 'active', count: 3, reopen_count: 1 },
          });
          await setStatus(context, id, 'resolved');
          await reader.next('group.resolved');
          await setStatus(context, id, 'active');
          expect((await reader.next('group.activated')).group).toMatchObject({ status: 'active', resolved_at: null });
          await context.send(204, 'DELETE', `errors/${id}`);
          const deleted = await reader.next('group.deleted');
          expect(deleted).toEqual({ type: 'group.deleted', project_id: project, at: deleted.at, error_group_id: id });
          expect(eventsWithPrefix(reader, 'group').map(({ type }) => type)).toEqual([
            'group.created',
            'group.updated',
            'group.resolved',
            'group.reopened',
            'group.resolved',
            'group.activated',
            'group.deleted',
          ]);
        });
      },
    },
    {
      title: 'reopening publishes group.reopened and no group.updated',
      covers: ['stream.group.reopened'],
      async run(context) {
        const group = Number(await context.fixture('group'));
        await setStatus(context, group, 'resolved');
        await withStreamReader(context, async (reader) => {
          await context.createReport();
          await reader.next('group.reopened');
          // By the second update of another group, an update of this one would have arrived.
          for (let updates = 0; updates < 2;) {
            await context.createReport({ message: 'Another' });
            updates = eventsWithPrefix(reader, 'group.updated').filter(
              ({ group: { message } }) => message === 'Another',
            ).length;
          }
          const updated = eventsWithPrefix(reader, 'group.updated').map(
            ({ group: { error_group_id } }) => error_group_id,
          );
          expect(updated).not.toContain(group);
        });
      },
    },
    {
      title: 'a requested and a finished explanation are published',
      covers: ['stream.summary'],
      async run(context) {
        const [project, group] = [Number(await context.fixture('project')), Number(await context.fixture('group'))];
        await withStreamReader(context, async (reader) => {
          await context.send(202, 'POST', `errors/${group}/ai-summary`);
          await reader.waitUntil(() => eventsWithPrefix(reader, 'summary').at(-1)?.status === 'ready', 'a summary');
          for (const event of eventsWithPrefix(reader, 'summary'))
            expect(event).toEqual({
              type: 'summary.updated',
              project_id: project,
              at: event.at,
              error_group_id: group,
              status: expect.stringMatching(/^(pending|ready)$/),
            });
          await context.createReport();
          expect(await reader.next('group.updated')).toMatchObject({ group: { count: 2 } });
        });
      },
    },
    {
      title: 'changes of a project are published without its key',
      covers: ['stream.project', 'stream.team', 'stream.project.deleted'],
      async run(context) {
        await withStreamReader(
          context,
          async (reader) => {
            const project = await context.createProject('Shop of this test');
            const { id, name, created_at } = project;
            expect(await reader.next('project.created')).toMatchObject({
              project_id: id,
              project: { id, name, created_at },
            });
            const one = await StreamReader.open(context, `?project_id=${id}`);
            await context.send(200, 'PUT', `projects/${id}`, { body: { name: 'Renamed' } });
            for (const each of [reader, one])
              expect(await each.next('project.updated')).toMatchObject({
                project_id: id,
                project: { id, name: 'Renamed' },
              });
            const { api_key } = await context.send(200, 'POST', `projects/${id}/api-key/rotate`);
            await context.send(204, 'DELETE', `projects/${id}`);
            for (const each of [reader, one])
              expect(await each.next('project.deleted')).toMatchObject({
                project_id: id,
                project: { id, name: 'Renamed', created_at },
              });
            await one.waitForEnd();
            expect(one.closedBy).toBe('end');
            for (const key of [project.api_key, api_key]) expect(reader.text + one.text).not.toContain(key);
            expect(reader.text + one.text).not.toContain('api_key');
          },
          '',
        );
      },
    },
    {
      title: 'a stream covers the team or one project',
      covers: ['stream.team', 'stream.one_project'],
      async run(context) {
        const [mine, other] = [await context.createProject(), await context.createProject()];
        const all = await StreamReader.open(context);
        const one = await StreamReader.open(context, `?project_id=${mine.id}`);
        await context.createReport({ project_api_key: other.api_key });
        const { error_group_id: id } = await context.createReport({ project_api_key: mine.api_key });
        expect(await one.next('group.created')).toMatchObject({ project_id: mine.id, group: { error_group_id: id } });
        await all.waitUntil(
          () => [mine, other].every((project) => all.events.some(({ data }) => data.project_id === project.id)),
          'an event of each project',
        );
        expect(eventsWithPrefix(one, 'group').map(({ project_id }) => project_id)).toEqual([mine.id]);
        await all.close();
        await one.close();
      },
    },
    {
      title: 'a stream never carries an event of another team, even when resumed',
      covers: ['stream.apart', 'auth.teams.apart'],
      async run(context) {
        const token = await context.fixture('stranger');
        const theirs = await StreamReader.open(context, '', { token });
        const here = await StreamReader.open(context);
        const { id, api_key } = await context.createProject('Hidden name');
        const { error_group_id: group } = await context.createReport({
          project_api_key: api_key,
          message: 'Hidden message',
        });
        await setStatus(context, group, 'resolved');
        await context.send(204, 'DELETE', `errors/${group}`);
        await context.send(204, 'DELETE', `projects/${id}`);
        await here.waitUntil(() => here.types.includes('project.deleted'), 'project.deleted');
        const own = await context.send(201, 'POST', 'projects', { token, body: { name: 'Theirs' } });
        await context.createReport({ project_api_key: own.api_key });
        await theirs.next('group.created');
        const again = await StreamReader.open(context, '', {
          token,
          headers: { 'last-event-id': theirs.events[0]?.id ?? '' },
        });
        await again.next('usage.updated');
        for (const reader of [theirs, again]) {
          expect(reader.text).not.toContain('Hidden');
          expect(new Set(reader.events.map(({ data }) => data.project_id ?? own.id))).toEqual(new Set([own.id]));
          await reader.close();
        }
        await here.close();
      },
    },
    {
      title: 'the usage is published to every stream of the team, at most once a second',
      covers: ['stream.usage', 'stream.usage.rate'],
      settings: { errorQuota: 1_000 },
      needsOwnServer: true,
      async run(context) {
        const { id: other } = await context.createProject('Other');
        const [all, one] = [await StreamReader.open(context), await StreamReader.open(context, `?project_id=${other}`)];
        for (let count = 0; count < 30; count++) await context.createReport();
        for (const reader of [all, one]) {
          const isAll = (): boolean => eventsWithPrefix(reader, 'usage').at(-1)?.usage.errors.used === 30;
          await reader.waitUntil(isAll, 'usage of 30');
          const events = eventsWithPrefix(reader, 'usage');
          for (const [index, event] of events.entries()) {
            expect(event.project_id).toBeNull();
            if (index > 0) expect(Date.parse(event.at) - Date.parse(events[index - 1].at)).toBeGreaterThan(950);
          }
          expect(events.at(-1).usage).toEqual(await context.send(200, 'GET', 'billing/usage'));
        }
        expect(eventsWithPrefix(one, 'group')).toEqual([]);
        await all.close();
        await one.close();
      },
    },
    {
      title: 'updates of a busy group are coalesced to four a second and end with its current state',
      covers: ['stream.group.rate', 'stream.first'],
      async run(context) {
        await withStreamReader(context, async (reader) => {
          for (let count = 0; count < 200; count++) await context.createReport();
          const isAll = (): boolean => eventsWithPrefix(reader, 'group').at(-1)?.group.count === 200;
          await reader.waitUntil(isAll, 'a count of 200');
          const events = eventsWithPrefix(reader, 'group');
          expect(events[0].type).toBe('group.created');
          // The server's own timestamps, so the test does not depend on delivery times.
          const times = events.map(({ at }) => Date.parse(at));
          expect(times.filter((time, index) => index >= 4 && time - (times[index - 4] ?? 0) < 990)).toEqual([]);
        });
      },
    },
    {
      title: 'updates of many busy groups share writes',
      covers: ['stream.many_groups'],
      targets: ['memory'],
      async run(context) {
        await withStreamReader(context, async (reader) => {
          const groups = 300;
          await Promise.all(
            Array.from({ length: groups }, (_, index) =>
              context.createReport({ message: `Broken ${toLetters(index)}` }),
            ),
          );
          const groupCount = (): number =>
            new Set(eventsWithPrefix(reader, 'group').map(({ group }) => group.error_group_id)).size;
          await reader.waitUntil(() => groupCount() === groups, 'all groups');
          // Events of one write have the same timestamp.
          const timestamps = new Set(eventsWithPrefix(reader, 'group').map(({ at }) => at)).size;
          expect(timestamps).toBeLessThan(groups / 2);
        });
      },
    },
  ],
};
