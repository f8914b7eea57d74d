import { expect } from 'vitest';
import type { Json } from '../answer.ts';
import type { Chapter } from '../chapter.ts';
import { cookie, eventsOf, letters, Listening, setStatus, whileListening } from '../listening.ts';

/** What happens is told to whoever listens. */
export const stream: Chapter = {
  name: 'stream',
  tests: [
    {
      title: 'a stream begins at once, with headers that keep others from collecting it',
      proves: ['stream.open', 'stream.headers', 'stream.begin', 'stream.head'],
      async run(scene) {
        const ask = { headers: { 'accept-encoding': 'gzip' } };
        const reader = await Listening.open(scene, '', ask);
        await reader.until(() => reader.comments > 0, 'a comment');
        expect(reader.text).toMatch(/^retry: 1000\n:/);
        expect(reader.headers.get('content-type')).toMatch(/^text\/event-stream/);
        expect(reader.headers.get('cache-control')).toBe('no-cache, no-transform');
        expect(reader.headers.get('x-accel-buffering')).toBe('no');
        expect(reader.headers.get('content-encoding')).toBeNull();
        await reader.close();
        const head = await scene.call('HEAD', 'stream', ask);
        expect([head.status, head.text]).toEqual([200, '']);
        for (const name of ['content-type', 'cache-control', 'x-accel-buffering'])
          expect(head.headers.get(name)).toBe(reader.headers.get(name));
      },
    },
    {
      title: 'a session cookie opens it, and only a good token or cookie does',
      proves: ['stream.open', 'auth.session.reads'],
      places: ['memory', 'program'],
      async run(scene) {
        const ask = { token: null, headers: { cookie: await cookie(scene) } };
        const reader = await Listening.open(scene, `?project_id=${await scene.know('project')}`, ask);
        await scene.accepted();
        await reader.next('group.created');
        await reader.close();
        expect(await scene.codeOf('GET', 'stream', { token: null })).toBe('missing_token');
        expect(
          await scene.codeOf('GET', 'stream', { token: null, headers: { cookie: `${ask.headers.cookie}x` } }),
        ).toBe('invalid_token');
        expect(await scene.codeOf('GET', 'stream', { token: await scene.know('key') })).toBe('invalid_token');
      },
    },
    {
      title: 'queries that are none, and projects of nobody',
      proves: ['stream.query', 'stream.foreign_project'],
      steps: [
        { ask: 'GET stream?project_id=abc', get: 'validation_failed' },
        { ask: 'GET stream?project_id=0', get: 'validation_failed' },
        { ask: 'GET stream?project_id={project}&project_id={project}', get: 'validation_failed' },
        { ask: 'GET stream?colour=red', get: 'validation_failed' },
        { ask: 'GET stream?project_id=900000000000', get: 'project_not_found' },
        { ask: 'GET stream?project_id={project}', as: '{stranger}', get: 'project_not_found' },
        { ask: 'HEAD stream?project_id=900000000000', get: 404 },
      ],
    },
    {
      title: 'what happens to a group is told, with the record that lists show',
      proves: [
        'stream.event',
        'stream.group.created',
        'stream.group.updated',
        'stream.group.reopened',
        'stream.group.status',
        'stream.group.deleted',
      ],
      async run(scene) {
        const project = Number(await scene.know('project'));
        await whileListening(scene, async (reader) => {
          const { error_group_id: id } = await scene.accepted({ release: '1.0.0' });
          const record = async (): Promise<Json> =>
            (await scene.get(200, 'GET', `errors?project_id=${project}`)).items[0];
          const created = await reader.next('group.created');
          expect(created).toEqual({
            type: 'group.created',
            project_id: project,
            at: created.at,
            group: await record(),
          });
          await scene.accepted({ release: '1.0.1' });
          const updated = await reader.next('group.updated');
          expect(updated.group).toEqual(await record());
          expect(updated.group).toMatchObject({ error_group_id: id, count: 2, last_release: '1.0.1' });
          const resolved = await setStatus(scene, id, 'resolved');
          expect((await reader.next('group.resolved')).group).toEqual(resolved);
          await scene.accepted();
          expect(await reader.next('group.reopened')).toMatchObject({
            project_id: project,
            group: { status: 'active', count: 3, reopen_count: 1 },
          });
          await setStatus(scene, id, 'resolved');
          await reader.next('group.resolved');
          await setStatus(scene, id, 'active');
          expect((await reader.next('group.activated')).group).toMatchObject({ status: 'active', resolved_at: null });
          await scene.get(204, 'DELETE', `errors/${id}`);
          const deleted = await reader.next('group.deleted');
          expect(deleted).toEqual({ type: 'group.deleted', project_id: project, at: deleted.at, error_group_id: id });
          expect(eventsOf(reader, 'group').map(({ type }) => type)).toEqual([
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
      title: 'reopening is told as such, and not as an update beside it',
      proves: ['stream.group.reopened'],
      async run(scene) {
        const group = Number(await scene.know('group'));
        await setStatus(scene, group, 'resolved');
        await whileListening(scene, async (reader) => {
          await scene.accepted();
          await reader.next('group.reopened');
          // An update of it would not wait longer than two of another group do.
          for (let updates = 0; updates < 2;) {
            await scene.accepted({ message: 'Another' });
            updates = eventsOf(reader, 'group.updated').filter(
              ({ group: { message } }) => message === 'Another',
            ).length;
          }
          const updated = eventsOf(reader, 'group.updated').map(({ group: { error_group_id } }) => error_group_id);
          expect(updated).not.toContain(group);
        });
      },
    },
    {
      title: 'an explanation is told of when it is asked for and when it is there',
      proves: ['stream.summary'],
      async run(scene) {
        const [project, group] = [Number(await scene.know('project')), Number(await scene.know('group'))];
        await whileListening(scene, async (reader) => {
          await scene.get(202, 'POST', `errors/${group}/ai-summary`);
          await reader.until(() => eventsOf(reader, 'summary').at(-1)?.status === 'ready', 'a summary');
          for (const event of eventsOf(reader, 'summary'))
            expect(event).toEqual({
              type: 'summary.updated',
              project_id: project,
              at: event.at,
              error_group_id: group,
              status: expect.stringMatching(/^(pending|ready)$/),
            });
          await scene.accepted();
          expect(await reader.next('group.updated')).toMatchObject({ group: { count: 2 } });
        });
      },
    },
    {
      title: 'projects are told of, without their keys',
      proves: ['stream.project', 'stream.team', 'stream.project.deleted'],
      async run(scene) {
        await whileListening(
          scene,
          async (reader) => {
            const project = await scene.newProject('Shop of this test');
            const { id, name, created_at } = project;
            expect(await reader.next('project.created')).toMatchObject({
              project_id: id,
              project: { id, name, created_at },
            });
            const one = await Listening.open(scene, `?project_id=${id}`);
            await scene.get(200, 'PUT', `projects/${id}`, { body: { name: 'Renamed' } });
            for (const each of [reader, one])
              expect(await each.next('project.updated')).toMatchObject({
                project_id: id,
                project: { id, name: 'Renamed' },
              });
            const { api_key } = await scene.get(200, 'POST', `projects/${id}/api-key/rotate`);
            await scene.get(204, 'DELETE', `projects/${id}`);
            for (const each of [reader, one])
              expect(await each.next('project.deleted')).toMatchObject({
                project_id: id,
                project: { id, name: 'Renamed', created_at },
              });
            await one.ended();
            expect(one.isOver).toBe('ended');
            for (const key of [project.api_key, api_key]) expect(reader.text + one.text).not.toContain(key);
            expect(reader.text + one.text).not.toContain('api_key');
          },
          '',
        );
      },
    },
    {
      title: 'a stream is of the team, or of one project of it',
      proves: ['stream.team', 'stream.one_project'],
      async run(scene) {
        const [mine, other] = [await scene.newProject(), await scene.newProject()];
        const all = await Listening.open(scene);
        const one = await Listening.open(scene, `?project_id=${mine.id}`);
        await scene.accepted({ project_api_key: other.api_key });
        const { error_group_id: id } = await scene.accepted({ project_api_key: mine.api_key });
        expect(await one.next('group.created')).toMatchObject({ project_id: mine.id, group: { error_group_id: id } });
        await all.until(
          () => [mine, other].every((project) => all.events.some(({ data }) => data.project_id === project.id)),
          'an event of each project',
        );
        expect(eventsOf(one, 'group').map(({ project_id }) => project_id)).toEqual([mine.id]);
        await all.close();
        await one.close();
      },
    },
    {
      title: "nothing of another team is told, not even by a reader's own position",
      proves: ['stream.apart', 'auth.teams.apart'],
      async run(scene) {
        const token = await scene.know('stranger');
        const theirs = await Listening.open(scene, '', { token });
        const here = await Listening.open(scene);
        const { id, api_key } = await scene.newProject('Hidden name');
        const { error_group_id: group } = await scene.accepted({ project_api_key: api_key, message: 'Hidden message' });
        await setStatus(scene, group, 'resolved');
        await scene.get(204, 'DELETE', `errors/${group}`);
        await scene.get(204, 'DELETE', `projects/${id}`);
        await here.until(() => here.types.includes('project.deleted'), 'project.deleted');
        const own = await scene.get(201, 'POST', 'projects', { token, body: { name: 'Theirs' } });
        await scene.accepted({ project_api_key: own.api_key });
        await theirs.next('group.created');
        const again = await Listening.open(scene, '', {
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
      title: 'usage goes to every stream of the team, at most once a second',
      proves: ['stream.usage', 'stream.usage.rate'],
      settings: { errorQuota: 1_000 },
      isAlone: true,
      async run(scene) {
        const { id: other } = await scene.newProject('Other');
        const [all, one] = [await Listening.open(scene), await Listening.open(scene, `?project_id=${other}`)];
        for (let count = 0; count < 30; count++) await scene.accepted();
        for (const reader of [all, one]) {
          const isAll = (): boolean => eventsOf(reader, 'usage').at(-1)?.usage.errors.used === 30;
          await reader.until(isAll, 'usage of 30');
          const told = eventsOf(reader, 'usage');
          for (const [index, event] of told.entries()) {
            expect(event.project_id).toBeNull();
            if (index > 0) expect(Date.parse(event.at) - Date.parse(told[index - 1].at)).toBeGreaterThan(950);
          }
          expect(told.at(-1).usage).toEqual(await scene.get(200, 'GET', 'billing/usage'));
        }
        expect(eventsOf(one, 'group')).toEqual([]);
        await all.close();
        await one.close();
      },
    },
    {
      title: 'a busy group is told of at most four times a second, and at last as it is',
      proves: ['stream.group.rate', 'stream.first'],
      async run(scene) {
        await whileListening(scene, async (reader) => {
          for (let count = 0; count < 200; count++) await scene.accepted();
          const isAll = (): boolean => eventsOf(reader, 'group').at(-1)?.group.count === 200;
          await reader.until(isAll, 'a count of 200');
          const told = eventsOf(reader, 'group');
          expect(told[0].type).toBe('group.created');
          // The times are those of the server, to the millisecond.
          const times = told.map(({ at }) => Date.parse(at));
          expect(times.filter((time, index) => index >= 4 && time - (times[index - 4] ?? 0) < 990)).toEqual([]);
        });
      },
    },
    {
      title: 'many busy groups come many to a write',
      proves: ['stream.many_groups'],
      places: ['memory'],
      async run(scene) {
        await whileListening(scene, async (reader) => {
          const groups = 300;
          await Promise.all(
            Array.from({ length: groups }, (_, index) => scene.accepted({ message: `Broken ${letters(index)}` })),
          );
          const toldOf = (): number => new Set(eventsOf(reader, 'group').map(({ group }) => group.error_group_id)).size;
          await reader.until(() => toldOf() === groups, 'all groups');
          // Events of one write have come about together, and are of one moment.
          const moments = new Set(eventsOf(reader, 'group').map(({ at }) => at)).size;
          expect(moments).toBeLessThan(groups / 2);
        });
      },
    },
  ],
};
