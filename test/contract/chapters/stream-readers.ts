import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, vi } from 'vitest';
import type { Answer } from '../answer.ts';
import type { Chapter } from '../chapter.ts';
import { cookie, eventsOf, letters, Listening, setStatus, whileListening } from '../listening.ts';
import { adminToken, type Scene } from '../scene.ts';

const minuteMs = 60_000;

/** The stream ends with a last word. */
async function expectSignedOut(reader: Listening): Promise<void> {
  expect(await reader.next('reset')).toMatchObject({ project_id: null, reason: 'signed_out' });
  await reader.ended();
  expect(reader.isOver).toBe('ended');
}

/** A personal token for each twenty streams. */
async function personalTokens(scene: Scene, count: number): Promise<string[]> {
  const made = Array.from({ length: count }, () => scene.get(201, 'POST', 'auth/tokens', { body: { name: 'Wall' } }));
  return (await Promise.all(made)).map(({ token }) => token as string);
}

/** Readers of the stream: how they come back, when they have to go, and how many there may be. */
export const streamReaders: Chapter = {
  name: 'stream readers',
  tests: [
    ...(['header', 'query'] as const).map((how) => ({
      title: `whoever comes back by the ${how} is told what they have missed`,
      proves: [`stream.resume.${how}` as const],
      async run(scene: Scene) {
        const project = await scene.know('project');
        const reader = await Listening.open(scene, `?project_id=${project}`);
        const { error_group_id: known } = await scene.accepted();
        await reader.next('group.created');
        await reader.close();
        await scene.accepted({ message: 'Another' });
        await setStatus(scene, known, 'resolved');
        await scene.accepted({ message: 'Another' });
        const id = reader.lastEventId ?? '';
        const again = await Listening.open(
          scene,
          `?project_id=${project}${how === 'query' ? `&last_event_id=${id}` : '&last_event_id=stale'}`,
          how === 'header' ? { headers: { 'last-event-id': id } } : {},
        );
        expect(await again.next('group.created')).toMatchObject({ group: { message: 'Another', count: 2 } });
        expect(await again.next('group.resolved')).toMatchObject({ group: { error_group_id: known } });
        await scene.accepted({ message: 'Another' });
        expect(await again.next('group.updated')).toMatchObject({ group: { count: 3 } });
        expect(again.types).not.toContain('reset');
        await again.close();
      },
    })),
    {
      title: 'over a restart nothing is missed, also of a stream that had been told nothing',
      proves: ['stream.resume.restart', 'stream.end.stop'],
      isAlone: true,
      places: ['file', 'sqlite', 'program'],
      async run(scene) {
        const project = await scene.know('project');
        const reader = await Listening.open(scene, `?project_id=${project}`);
        const quiet = await Listening.open(scene);
        await scene.accepted();
        await reader.next('group.created');
        const { lastEventId: before } = quiet;
        await quiet.close();
        await scene.restart();
        await reader.ended();
        expect(reader.isOver).toBe('ended');
        expect(reader.text).not.toContain('shutting_down');
        await scene.accepted();
        await scene.accepted({ message: 'Another' });
        await scene.restart();
        const again = await Listening.open(scene, '', { headers: { 'last-event-id': reader.lastEventId ?? '' } });
        await again.next('usage.updated');
        expect(eventsOf(again, 'group').map(({ type, group }) => [type, group.count])).toEqual([
          ['group.created', 1],
          ['group.updated', 2],
        ]);
        const all = await Listening.open(scene, '', { headers: { 'last-event-id': before ?? '' } });
        await all.next('usage.updated');
        expect(eventsOf(all, 'group').filter(({ type }) => type === 'group.created').length).toBeGreaterThanOrEqual(1);
        expect(all.types).not.toContain('reset');
        await again.close();
        await all.close();
      },
    },
    {
      title: 'a stopping server ends streams, and answers no error into them',
      proves: ['stream.end.stop'],
      isAlone: true,
      async run(scene) {
        const readers = [await Listening.open(scene), await Listening.open(scene)];
        await readers[0]?.until(() => readers[0]?.comments === 1, 'a comment');
        await readers[1]?.until(() => readers[1]?.comments === 1, 'a comment');
        await scene.restart();
        for (const reader of readers) {
          await reader.ended();
          expect([reader.isOver, reader.events]).toEqual(['ended', []]);
        }
      },
    },
    {
      title: 'a position that nobody knows is a reset, and from there it goes on',
      proves: ['stream.reset'],
      async run(scene) {
        const project = await scene.know('project');
        for (const id of ['1', 'abc', '00000000-1', '../..', '9'.repeat(500)]) {
          const reader = await Listening.open(scene, `?project_id=${project}`, { headers: { 'last-event-id': id } });
          const told = await reader.next('reset');
          expect(told).toEqual({ type: 'reset', project_id: null, at: told.at });
          await scene.accepted({ message: `After ${letters(id.length)}` });
          await reader.next('group.created');
          expect(reader.isOver).toBeNull();
          await reader.close();
        }
      },
    },
    {
      title: 'signing out ends the streams of the session, and of no other',
      proves: ['stream.end.sign_out'],
      async run(scene) {
        const [session, other] = [await scene.newSession(), await scene.newSession()];
        const reader = await Listening.open(scene, '', { token: session.access_token });
        const stays = await Listening.open(scene, '', { token: other.access_token });
        const ended = await scene.call('POST', 'auth/logout', { token: session.access_token });
        expect(ended.status).toBe(204);
        await expectSignedOut(reader);
        await scene.newProject();
        await stays.next('project.created');
        expect(stays.types).not.toContain('reset');
        await stays.close();
      },
    },
    {
      title: 'ending the session of a cookie ends its streams',
      proves: ['stream.end.sign_out'],
      places: ['memory', 'program'],
      async run(scene) {
        const headers = { cookie: await cookie(scene), origin: new URL(scene.server.url).origin };
        const reader = await Listening.open(scene, '', { token: null, headers });
        expect((await scene.call('DELETE', 'auth/session', { token: null, headers })).status).toBe(204);
        await expectSignedOut(reader);
      },
    },
    {
      title: 'a stream ends with its access token, and one of a cookie with its session',
      proves: ['stream.end.expiry'],
      turnsClock: true,
      places: ['memory'],
      async run(scene) {
        const { access_token: token } = await scene.newSession();
        const reader = await Listening.open(scene, '', { token });
        const byCookie = await Listening.open(scene, '', { token: null, headers: { cookie: await cookie(scene) } });
        vi.setSystemTime(Date.now() + 14 * minuteMs);
        await scene.newProject();
        await reader.next('project.created');
        vi.setSystemTime(Date.now() + minuteMs);
        await expectSignedOut(reader);
        expect(await scene.codeOf('GET', 'stream', { token })).toBe('expired_token');
        vi.setSystemTime(Date.now() + 11 * 60 * minuteMs);
        await scene.newProject();
        await byCookie.next('project.created');
        await byCookie.next('project.created');
        vi.setSystemTime(Date.now() + 60 * minuteMs);
        await expectSignedOut(byCookie);
      },
    },
    {
      title: 'a member who is removed hears nothing more, one of another role goes on',
      proves: ['stream.end.member', 'stream.end.role'],
      async run(scene) {
        const member = await scene.addMember('member');
        const reader = await Listening.open(scene, '', { token: member.access_token });
        await scene.get(200, 'PATCH', `members/${member.id}`, { body: { role: 'viewer' } });
        await scene.newProject();
        await reader.next('project.created');
        expect(reader.types).not.toContain('reset');
        await scene.get(204, 'DELETE', `members/${member.id}`);
        await expectSignedOut(reader);
        await scene.newProject();
        expect(eventsOf(reader, 'project')).toHaveLength(1);
      },
    },
    {
      title: 'a personal token that is revoked ends its streams, and so does one that expires',
      proves: ['stream.end.token'],
      async run(scene) {
        const { id, token } = await scene.get(201, 'POST', 'auth/tokens', { body: { name: 'Wall' } });
        const reader = await Listening.open(scene, '', { token });
        await scene.get(204, 'DELETE', `auth/tokens/${id}`);
        await expectSignedOut(reader);
        const expires_at = new Date(Date.now() + 2_500).toISOString();
        const short = await scene.get(201, 'POST', 'auth/tokens', { body: { name: 'Short', expires_at } });
        await expectSignedOut(await Listening.open(scene, '', { token: short.token }));
      },
    },
    {
      title: 'there are 20 streams of a session or token, and closing one makes room',
      proves: ['stream.most_of_one', 'problem.too_many_requests'],
      async run(scene) {
        const [token = '', other = ''] = await personalTokens(scene, 2);
        const open = (): Promise<Listening> => Listening.open(scene, '', { token });
        const readers = await Promise.all(Array.from({ length: 20 }, open));
        const refused: Answer = await scene.call('GET', 'stream', { token });
        expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests']);
        const another = await Listening.open(scene, '', { token: other });
        await readers.pop()?.close();
        // The server learns by itself that a reader has gone.
        await expect.poll(() => scene.codeOf('HEAD', 'stream', { token }), { timeout: 10_000 }).toBe(200);
        readers.push(await open(), another);
        for (const reader of readers) await reader.close();
      },
    },
    {
      title: 'there are 1,000 streams, and each is told',
      proves: ['stream.most'],
      isAlone: true,
      places: ['memory'],
      patience: 60_000,
      async run(scene) {
        const tokens = await personalTokens(scene, 50);
        const readers = await Promise.all(
          tokens.flatMap((token) => Array.from({ length: 20 }, () => Listening.open(scene, '', { token }))),
        );
        const refused = await scene.call('GET', 'stream');
        expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests']);
        await scene.accepted();
        for (const reader of readers) await reader.next('group.created');
        for (const reader of readers) await reader.close();
      },
    },
    {
      title: 'who takes nothing is closed, comes back, and has missed nothing',
      proves: ['stream.behind'],
      isAlone: true,
      places: ['memory'],
      async run(scene) {
        const reader = await Listening.fallAsleep(scene);
        const environments = Array.from({ length: 20 }, (_, index) => `${'e'.repeat(60)}${index}`);
        let count = 0;
        const isClosed = async (): Promise<boolean> =>
          /^service_stream_readers_behind_total 1$/m.test((await scene.call('GET', '/metrics')).text);
        while (!(await isClosed())) {
          const environment = environments[count % environments.length];
          const message = `Broken ${letters(count++ % 200)} ${'x'.repeat(280)}`;
          await scene.accepted({ message, environment });
        }
        reader.wakeUp();
        await reader.ended();
        expect(Buffer.byteLength(reader.text)).toBeLessThanOrEqual(256 * 1024);
        const again = await Listening.open(scene, `?last_event_id=${reader.lastEventId}`);
        await again.until(() => again.events.length > 0, 'an event');
        if (!again.types.includes('reset')) {
          await again.next('usage.updated');
          const groups = new Map(
            [...reader.events, ...again.events].flatMap(({ data }) =>
              data.group ? [[data.group.error_group_id, data.group.count]] : [],
            ),
          );
          const { total } = await scene.get(200, 'GET', 'errors');
          expect(groups.size).toBe(total);
          expect([...groups.values()].reduce((sum, one) => sum + one, 0)).toBe(count);
        }
        await again.close();
      },
    },
    {
      title: 'HTTP/1.0 can not carry it, and the answer says so',
      proves: ['stream.http10', 'problem.http_version_not_supported'],
      places: ['program'],
      async run(scene) {
        const { hostname, port } = new URL(scene.server.url);
        const socket = connect(Number(port), hostname);
        socket.write(`GET /api/v1/stream HTTP/1.0\r\nHost: ${hostname}\r\nAuthorization: Bearer ${adminToken}\r\n\r\n`);
        let text = '';
        socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
        await once(socket, 'close');
        expect(text).toMatch(/^HTTP\/1\.[01] 505 /);
        expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toMatchObject({
          code: 'http_version_not_supported',
          detail: expect.stringContaining('HTTP/1.0'),
        });
      },
    },
    {
      title: 'neither can a proxy that speaks it',
      proves: ['stream.via', 'problem.http_version_not_supported'],
      async run(scene) {
        for (const via of ['1.0', '1.0 old-proxy.example', '1.1 edge, 1.0 old (squid)', 'HTTP/1.0 old'])
          expect([via, await scene.codeOf('GET', 'stream', { headers: { via } })]).toEqual([
            via,
            'http_version_not_supported',
          ]);
        for (const via of ['1.1 vegur', '2 edge, 1.1 inner', 'HTTP/1.1 proxy-1.0.example'])
          expect([via, await scene.codeOf('GET', 'stream', { headers: { via } })]).toEqual([via, 200]);
      },
    },
    {
      title: 'a comment comes every 15 seconds',
      proves: ['stream.comment'],
      isLong: true,
      places: ['memory', 'program'],
      patience: 60_000,
      async run(scene) {
        await whileListening(scene, async (reader) => {
          await reader.until(() => reader.comments === 1, 'the first comment');
          const begun = performance.now();
          while (reader.comments < 3) await new Promise((resolve) => setTimeout(resolve, 50));
          const passed = performance.now() - begun;
          expect(passed).toBeGreaterThan(28_000);
          expect(passed).toBeLessThan(31_000);
        });
      },
    },
  ],
};
