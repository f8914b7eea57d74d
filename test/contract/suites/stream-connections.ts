import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, vi } from 'vitest';
import { toLetters } from '../../test-utils/to-letters.ts';
import type { ApiResponse } from '../api-call.ts';
import type { TestContext } from '../context.ts';
import { adminToken } from '../credentials.ts';
import { openCookieSession } from '../session-calls.ts';
import { setStatus } from '../set-status.ts';
import { openSlowRequest, postHead } from '../slow-request.ts';
import { eventsWithPrefix, StreamReader, withStreamReader } from '../stream-reader.ts';
import type { Suite } from '../suite.ts';

const minuteMs = 60_000;

/** Asserts that the stream sends reset with reason signed_out and ends. */
async function expectSignedOut(reader: StreamReader): Promise<void> {
  expect(await reader.next('reset')).toMatchObject({ project_id: null, reason: 'signed_out' });
  await reader.waitForEnd();
  expect(reader.closedBy).toBe('end');
}

/** Creates personal access tokens, each of which allows twenty streams. */
async function createPersonalTokens(context: TestContext, count: number): Promise<string[]> {
  const made = Array.from({ length: count }, () =>
    context.send(201, 'POST', 'auth/tokens', { body: { name: 'Wall' } }),
  );
  return (await Promise.all(made)).map(({ token }) => token as string);
}

/** How streams resume and end, and how many a user can open. */
export const streamConnections: Suite = {
  name: 'stream connections',
  tests: [
    ...(['header', 'query'] as const).map((source) => ({
      title: `a stream resumed by the ${source} receives the missed events`,
      covers: [`stream.resume.${source}` as const],
      async run(context: TestContext) {
        const project = await context.fixture('project');
        const reader = await StreamReader.open(context, `?project_id=${project}`);
        const { error_group_id: known } = await context.createReport();
        await reader.next('group.created');
        await reader.close();
        await context.createReport({ message: 'Another' });
        await setStatus(context, known, 'resolved');
        await context.createReport({ message: 'Another' });
        const id = reader.lastEventId ?? '';
        const again = await StreamReader.open(
          context,
          `?project_id=${project}${source === 'query' ? `&last_event_id=${id}` : '&last_event_id=stale'}`,
          source === 'header' ? { headers: { 'last-event-id': id } } : {},
        );
        expect(await again.next('group.created')).toMatchObject({ group: { message: 'Another', count: 2 } });
        expect(await again.next('group.resolved')).toMatchObject({ group: { error_group_id: known } });
        await context.createReport({ message: 'Another' });
        expect(await again.next('group.updated')).toMatchObject({ group: { count: 3 } });
        expect(again.types).not.toContain('reset');
        await again.close();
      },
    })),
    {
      title: 'a stream resumes without a gap after a restart, even one that had no events',
      covers: ['stream.resume.restart', 'stream.end.stop'],
      needsOwnServer: true,
      targets: ['file', 'sqlite', 'program'],
      async run(context) {
        const project = await context.fixture('project');
        const reader = await StreamReader.open(context, `?project_id=${project}`);
        const idle = await StreamReader.open(context);
        await context.createReport();
        await reader.next('group.created');
        const { lastEventId: before } = idle;
        await idle.close();
        await context.restart();
        await reader.waitForEnd();
        expect(reader.closedBy).toBe('end');
        expect(reader.text).not.toContain('shutting_down');
        await context.createReport();
        await context.createReport({ message: 'Another' });
        await context.restart();
        const again = await StreamReader.open(context, '', { headers: { 'last-event-id': reader.lastEventId ?? '' } });
        await again.next('usage.updated');
        expect(eventsWithPrefix(again, 'group').map(({ type, group }) => [type, group.count])).toEqual([
          ['group.created', 1],
          ['group.updated', 2],
        ]);
        const all = await StreamReader.open(context, '', { headers: { 'last-event-id': before ?? '' } });
        await all.next('usage.updated');
        expect(
          eventsWithPrefix(all, 'group').filter(({ type }) => type === 'group.created').length,
        ).toBeGreaterThanOrEqual(1);
        expect(all.types).not.toContain('reset');
        await again.close();
        await all.close();
      },
    },
    {
      title: 'a stopping server ends its streams without an error',
      covers: ['stream.end.stop'],
      needsOwnServer: true,
      async run(context) {
        const readers = [await StreamReader.open(context), await StreamReader.open(context)];
        await readers[0]?.waitUntil(() => readers[0]?.comments === 1, 'a comment');
        await readers[1]?.waitUntil(() => readers[1]?.comments === 1, 'a comment');
        await context.restart();
        for (const reader of readers) {
          await reader.waitForEnd();
          expect([reader.closedBy, reader.events]).toEqual(['end', []]);
        }
      },
    },
    {
      title: 'an unknown position gets a reset, and the stream continues',
      covers: ['stream.reset'],
      async run(context) {
        const project = await context.fixture('project');
        for (const id of ['1', 'abc', '00000000-1', '../..', '9'.repeat(500)]) {
          const reader = await StreamReader.open(context, `?project_id=${project}`, {
            headers: { 'last-event-id': id },
          });
          const event = await reader.next('reset');
          expect(event).toEqual({ type: 'reset', project_id: null, at: event.at });
          await context.createReport({ message: `After ${toLetters(id.length)}` });
          await reader.next('group.created');
          expect(reader.closedBy).toBeNull();
          await reader.close();
        }
      },
    },
    {
      title: 'signing out ends the streams of that session only',
      covers: ['stream.end.sign_out'],
      async run(context) {
        const [session, other] = [await context.createSession(), await context.createSession()];
        const reader = await StreamReader.open(context, '', { token: session.access_token });
        const stays = await StreamReader.open(context, '', { token: other.access_token });
        const ended = await context.call('POST', 'auth/logout', { token: session.access_token });
        expect(ended.status).toBe(204);
        await expectSignedOut(reader);
        await context.createProject();
        await stays.next('project.created');
        expect(stays.types).not.toContain('reset');
        await stays.close();
      },
    },
    {
      title: 'ending a cookie session ends its streams',
      covers: ['stream.end.sign_out'],
      targets: ['memory', 'program'],
      async run(context) {
        const headers = { cookie: (await openCookieSession(context)).pair, origin: new URL(context.server.url).origin };
        const reader = await StreamReader.open(context, '', { token: null, headers });
        expect((await context.call('DELETE', 'auth/session', { token: null, headers })).status).toBe(204);
        await expectSignedOut(reader);
      },
    },
    {
      title: 'a stream ends when its access token or its cookie session expires',
      covers: ['stream.end.expiry'],
      controlsClock: true,
      targets: ['memory'],
      async run(context) {
        const { access_token: token } = await context.createSession();
        const reader = await StreamReader.open(context, '', { token });
        const byCookie = await StreamReader.open(context, '', {
          token: null,
          headers: { cookie: (await openCookieSession(context)).pair },
        });
        vi.setSystemTime(Date.now() + 14 * minuteMs);
        await context.createProject();
        await reader.next('project.created');
        vi.setSystemTime(Date.now() + minuteMs);
        await expectSignedOut(reader);
        expect(await context.outcome('GET', 'stream', { token })).toBe('expired_token');
        vi.setSystemTime(Date.now() + 11 * 60 * minuteMs);
        await context.createProject();
        await byCookie.next('project.created');
        await byCookie.next('project.created');
        vi.setSystemTime(Date.now() + 60 * minuteMs);
        await expectSignedOut(byCookie);
      },
    },
    {
      title: 'removing a member ends their streams, changing their role does not',
      covers: ['stream.end.member', 'stream.end.role'],
      async run(context) {
        const member = await context.addMember('member');
        const reader = await StreamReader.open(context, '', { token: member.access_token });
        await context.send(200, 'PATCH', `members/${member.id}`, { body: { role: 'viewer' } });
        await context.createProject();
        await reader.next('project.created');
        expect(reader.types).not.toContain('reset');
        await context.send(204, 'DELETE', `members/${member.id}`);
        await expectSignedOut(reader);
        await context.createProject();
        expect(eventsWithPrefix(reader, 'project')).toHaveLength(1);
      },
    },
    {
      title: 'revoking a personal access token ends its streams',
      covers: ['stream.end.token'],
      async run(context) {
        const { id, token } = await context.send(201, 'POST', 'auth/tokens', { body: { name: 'Wall' } });
        const reader = await StreamReader.open(context, '', { token });
        await context.send(204, 'DELETE', `auth/tokens/${id}`);
        await expectSignedOut(reader);
      },
    },
    {
      title: 'the expiry of a personal access token ends its streams',
      covers: ['stream.end.token'],
      controlsClock: true,
      async run(context) {
        const expires_at = new Date(Date.now() + 10 * minuteMs).toISOString();
        const { token } = await context.send(201, 'POST', 'auth/tokens', { body: { name: 'Short', expires_at } });
        const reader = await StreamReader.open(context, '', { token });
        vi.setSystemTime(Date.now() + 9 * minuteMs);
        // A stream that had ended would not receive this event.
        await context.createReport();
        await reader.next('group.created');
        vi.setSystemTime(Date.now() + minuteMs);
        await expectSignedOut(reader);
      },
    },
    {
      title: 'a token allows 20 streams, and closing one frees a slot',
      covers: ['stream.max_per_session', 'problem.too_many_requests'],
      async run(context) {
        const [token = '', other = ''] = await createPersonalTokens(context, 2);
        const open = (): Promise<StreamReader> => StreamReader.open(context, '', { token });
        const readers = await Promise.all(Array.from({ length: 20 }, open));
        const rejected: ApiResponse = await context.call('GET', 'stream', { token });
        expect([rejected.status, rejected.body.code]).toEqual([429, 'too_many_requests']);
        const another = await StreamReader.open(context, '', { token: other });
        await readers.pop()?.close();
        // The server notices the closed connection with a delay.
        await expect.poll(() => context.outcome('HEAD', 'stream', { token })).toBe(200);
        readers.push(await open(), another);
        for (const reader of readers) await reader.close();
      },
    },
    {
      title: 'a user can open 1,000 streams, and each receives the event',
      covers: ['stream.max'],
      needsOwnServer: true,
      targets: ['memory'],
      async run(context) {
        const tokens = await createPersonalTokens(context, 50);
        const readers = await Promise.all(
          tokens.flatMap((token) => Array.from({ length: 20 }, () => StreamReader.open(context, '', { token }))),
        );
        const rejected = await context.call('GET', 'stream');
        expect([rejected.status, rejected.body.code]).toEqual([429, 'too_many_requests']);
        await context.createReport();
        for (const reader of readers) await reader.next('group.created');
        for (const reader of readers) await reader.close();
      },
    },
    {
      title: 'a subscriber that falls behind is disconnected, and resumes without a gap or gets a reset',
      covers: ['stream.behind'],
      needsOwnServer: true,
      targets: ['memory'],
      async run(context) {
        const reader = await StreamReader.openPaused(context);
        const timely = await StreamReader.open(context);
        const environments = Array.from({ length: 20 }, (_, index) => `${'e'.repeat(60)}${index}`);
        let count = 0;
        const isClosed = async (): Promise<boolean> =>
          /^service_stream_readers_behind_total 1$/m.test((await context.call('GET', '/metrics')).text);
        while (!(await isClosed())) {
          const environment = environments[count % environments.length];
          const message = `Broken ${toLetters(count++ % 200)} ${'x'.repeat(280)}`;
          await context.createReport({ message, environment });
        }
        reader.resume();
        await reader.waitForEnd();
        // The bytes in the buffers of the system were delivered, and those in the server's own buffer were not.
        const undelivered = Buffer.byteLength(timely.text) - Buffer.byteLength(reader.text);
        expect(undelivered).toBeLessThanOrEqual((256 + 64) * 1024);
        await timely.close();
        const again = await StreamReader.open(context, `?last_event_id=${reader.lastEventId}`);
        await again.waitUntil(() => again.events.length > 0, 'an event');
        if (!again.types.includes('reset')) {
          await again.next('usage.updated');
          const groups = new Map(
            [...reader.events, ...again.events].flatMap(({ data }) =>
              data.group ? [[data.group.error_group_id, data.group.count]] : [],
            ),
          );
          const { total } = await context.send(200, 'GET', 'errors');
          expect(groups.size).toBe(total);
          expect([...groups.values()].reduce((sum, one) => sum + one, 0)).toBe(count);
        }
        await again.close();
      },
    },
    {
      title: 'a stream over HTTP/1.0 returns 505 with the reason',
      covers: ['stream.http10', 'problem.http_version_not_supported'],
      targets: ['program'],
      async run(context) {
        const { hostname, port } = new URL(context.server.url);
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
      title: 'a stream through an HTTP/1.0 proxy returns 505',
      covers: ['stream.via', 'problem.http_version_not_supported'],
      async run(context) {
        for (const via of ['1.0', '1.0 old-proxy.example', '1.1 edge, 1.0 old (squid)', 'HTTP/1.0 old'])
          expect([via, await context.outcome('GET', 'stream', { headers: { via } })]).toEqual([
            via,
            'http_version_not_supported',
          ]);
        for (const via of ['1.1 vegur', '2 edge, 1.1 inner', 'HTTP/1.1 proxy-1.0.example'])
          expect([via, await context.outcome('GET', 'stream', { headers: { via } })]).toEqual([via, 200]);
      },
    },
    {
      title: 'a stream has a comment every 15 seconds',
      covers: ['stream.comment'],
      targets: ['memory'],
      needsOwnServer: true,
      async run(context) {
        vi.useFakeTimers({ toFake: ['Date', 'performance', 'setInterval', 'clearInterval'] });
        await context.restart();
        await withStreamReader(context, async (reader) => {
          await reader.waitUntil(() => reader.comments === 1, 'the first comment');
          for (let comments = 1; comments < 4; comments++) {
            await vi.advanceTimersByTimeAsync(comments === 1 ? 13_900 : 14_000);
            // A comment before this event would have been received.
            await context.createReport({ message: `Before comment ${toLetters(comments)}` });
            await reader.next('group.created');
            expect(reader.comments).toBe(comments);
            await vi.advanceTimersByTimeAsync(comments === 1 ? 1_100 : 1_000);
            await reader.waitUntil(() => reader.comments === comments + 1, 'the next comment');
          }
        });
      },
    },
    {
      title: 'the program sends a comment between two time-outs of 10 seconds, and at most one',
      covers: ['stream.comment'],
      onlyInFullRun: true,
      targets: ['program'],
      async run(context) {
        await withStreamReader(context, async (reader) => {
          await reader.waitUntil(() => reader.comments === 1, 'the first comment');
          // Timers of the server send the comments and end the requests: on a busy machine, all of them are late.
          const comments: number[] = [];
          for (let round = 0; round < 2; round++) {
            await openSlowRequest(context, postHead('projects')).responded;
            comments.push(reader.comments);
          }
          expect(comments).toEqual([1, 2]);
          await context.waitUntil(async () => reader.comments === 3, 60_000);
        });
      },
    },
  ],
};
