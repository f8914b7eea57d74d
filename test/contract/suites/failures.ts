import { once } from 'node:events';
import { rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ApiResponse, RequestOptions } from '../api-call.ts';
import { callAsOperator } from '../call-as-operator.ts';
import { adminToken, freshEmail, password } from '../credentials.ts';
import { withFolder } from '../with-folder.ts';
import { openSlowRequest, postHead } from '../slow-request.ts';
import { withStreamReader } from '../stream-reader.ts';
import type { Suite } from '../suite.ts';

/** Malformed and endless requests, slow clients, overload and storage failures. */
export const failures: Suite = {
  name: 'failures',
  tests: [
    {
      title: 'oversized headers and malformed HTTP get a JSON response',
      covers: ['problem.headers_too_large', 'problem.bad_request'],
      targets: ['program'],
      async run(context) {
        const { port, hostname } = new URL(context.server.url);
        for (const [sent, status, code] of [
          [`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
          ['nonsense\r\n\r\n', 400, 'bad_request'],
          ['GET / HTTP/1.1\r\n\r\n', 400, 'bad_request'],
        ] as const) {
          const socket = connect(Number(port), hostname, () => socket.write(sent));
          let response = '';
          socket.on('data', (chunk: Buffer) => (response += chunk.toString()));
          await once(socket, 'close');
          const [head = '', body = ''] = response.split('\r\n\r\n');
          expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
          for (const header of ['content-type: application/json', 'x-content-type-options: nosniff', 'x-request-id: '])
            expect(head.toLowerCase()).toContain(header);
          expect(JSON.parse(body)).toMatchObject({
            code,
            status,
            type: `/docs/problems#${code}`,
            detail: expect.any(String),
          });
        }
      },
    },
    {
      title: 'an endless body is rejected at the limit with a readable 413',
      covers: ['problem.payload_too_large.stream'],
      targets: ['program'],
      async run(context) {
        const { port, hostname } = new URL(context.server.url);
        const socket = connect(Number(port), hostname);
        let response = '';
        socket.on('data', (chunk: Buffer) => (response += chunk.toString()));
        socket.on('error', () => undefined);
        const closed = once(socket, 'close');
        socket.write(
          'POST /api/v1/errors HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
        );
        const chunk = ' '.repeat(64 * 1024);
        for (let sent = 0; sent < 40; sent++) {
          if (response) break;
          socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
          await new Promise((resolve) => setImmediate(resolve));
        }
        await expect.poll(() => response).toMatch(/^HTTP\/1\.1 413 [^]*"code":"payload_too_large"/);
        socket.destroy();
        await closed;
      },
    },
    {
      title: 'a request times out after 10 seconds in its headers or 30 in its body; an upload has more time',
      covers: ['problem.request_timeout.headers', 'problem.request_timeout.body', 'problem.request_timeout.maps'],
      targets: ['program'],
      onlyInFullRun: true,
      async run(context) {
        const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="app.js.map"\r\n\r\n';
        const map = '{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA"}';
        const end = '\r\n--x--\r\n';
        const path = `projects/${await context.fixture('project')}/source-maps`;
        const length = part.length + map.length + end.length;
        // A timer of the server sends the comments of a stream: on a busy machine, they are late as well.
        await withStreamReader(context, async (stream) => {
          await stream.waitUntil(() => stream.comments === 1, 'the first comment');
          const headers = openSlowRequest(context, postHead('projects'));
          const body = openSlowRequest(context, `${postHead('projects')}Content-Length: 15\r\n\r\n{"name"`);
          const upload = openSlowRequest(
            context,
            `${postHead(path, 'multipart/form-data; boundary=x')}Content-Length: ${length}\r\n\r\n${part}`,
          );
          for (const [slow, minMs, maxComments] of [
            // Before the second comment, after 15 seconds, and before the fourth, after 45.
            [headers, 9_000, 1],
            [body, 29_000, 3],
          ] as const) {
            const comments = slow.responded.then(() => stream.comments);
            expect(await slow.responded).toBeGreaterThan(minMs);
            expect(await comments).toBeLessThanOrEqual(maxComments);
            await slow.closed;
            expect(slow.response()).toMatch(/^HTTP\/1\.1 408 [^]*"code":"request_timeout"/);
          }
          upload.write(map + end);
          await expect.poll(upload.response).toMatch(/^HTTP\/1\.1 201 /);
        });
      },
    },
    {
      title: 'too many concurrent registrations return 503 and do not delay reports',
      covers: ['problem.overloaded', 'problem.report_429'],
      targets: ['memory'],
      needsOwnServer: true,
      onlyInFullRun: true,
      async run(context) {
        await context.fixture('key');
        let isDone = false;
        const registrations = Promise.all(
          Array.from({ length: 80 }, () =>
            context.outcome('POST', 'auth/register', { token: null, body: { email: freshEmail(), password } }),
          ),
        );
        void registrations.then(() => (isDone = true));
        await context.createReport();
        expect(isDone).toBe(false);
        expect(new Set(await registrations)).toEqual(new Set([201, 'overloaded']));
      },
    },
    {
      title: 'while the storage cannot be written, writes return 503 and are not counted',
      covers: ['problem.storage_unavailable', 'program.readyz'],
      targets: ['memory'],
      run: () =>
        withFolder(async (folder) => {
          const { createService } = await import('../../../packages/server/src/index.ts');
          const base = join(folder, 'data');
          const storage = { driver: 'fs', options: { base } };
          const service = await createService({ storage, adminToken, logLevel: 'silent' });
          const server = { url: 'http://127.0.0.1:4400', fetch: (request: Request) => service.fetch(request) };
          const call = (method: string, path: string, options: RequestOptions = {}): Promise<ApiResponse> =>
            callAsOperator(server, method, path, options);
          const { body: project } = await call('POST', 'projects', { body: { name: 'Shop' } });
          const report = { token: null, body: { project_api_key: project.api_key, message: 'It broke' } };
          const { body: first } = await call('POST', 'errors', report);
          // A file in place of the storage folder makes every write fail.
          await rename(base, `${base}-away`);
          await writeFile(base, '');
          for (const [method, path, options] of [
            ['POST', 'errors', report],
            ['POST', 'projects', { body: { name: 'Shop' } }],
            ['DELETE', `projects/${project.id}`, {}],
            ['PATCH', `errors/${first.error_group_id}/status`, { body: { status: 'resolved' } }],
          ] as const) {
            const { status, body, headers } = await call(method, path, options);
            expect([method, path, status, body.code]).toEqual([method, path, 503, 'storage_unavailable']);
            expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
          }
          expect((await call('GET', '/readyz')).body.code).toBe('storage_unavailable');
          expect((await call('GET', '/healthz')).status).toBe(200);
          await rm(base);
          await rename(`${base}-away`, base);
          await expect.poll(async () => (await call('POST', 'errors', report)).status).toBe(200);
          expect((await call('GET', `errors/${first.error_group_id}`)).body).toMatchObject({
            count: 2,
            status: 'active',
          });
          await service.close();
        }),
    },
  ],
};
