import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { problems } from '../../../packages/protocol/src/index.ts';
import type { Suite } from '../suite.ts';

/** The error body. `checkResponse` checks it in every response; these tests check its single rules. */
export const problemBodies: Suite = {
  name: 'problems',
  tests: [
    {
      title: 'an error response is JSON with the documented members',
      covers: ['problem.members', 'problem.json', 'problem.type', 'problem.request_id', 'problem.errors'],
      async run(context) {
        const { body, headers } = await context.call('GET', 'projects/900000000000');
        expect(headers.get('content-type')).toMatch(/^application\/json/);
        expect(body).toEqual({
          type: '/docs/problems#project_not_found',
          title: expect.any(String),
          status: 404,
          code: 'project_not_found',
          detail: expect.stringMatching(/\w+ \w+/),
          request_id: headers.get('x-request-id'),
        });
        const { body: invalid } = await context.call('POST', 'projects', { body: { name: 5 } });
        expect(invalid).toMatchObject({
          code: 'validation_failed',
          errors: [{ path: 'name', detail: expect.any(String) }],
        });
        expect(invalid.detail).toContain('name');
      },
    },
    {
      title: 'the type of an error links to a page with an anchor for every code',
      covers: ['program.problems_page', 'problem.type'],
      async run(context) {
        const { body } = await context.call('GET', 'projects', { token: null });
        const { pathname, hash } = new URL(body.type, context.server.url);
        const { status, headers, text } = await context.call('GET', pathname, { token: null });
        expect([status, headers.get('content-type')]).toEqual([
          200,
          expect.stringMatching(/^text\/html; ?charset=utf-8$/i),
        ]);
        const anchors = Array.from(text.matchAll(/ id="([^"]+)"/g), ([, id]) => id);
        expect(anchors).toEqual(expect.arrayContaining([hash.slice(1), ...Object.keys(problems)]));
      },
    },
    {
      title: 'a long field name is truncated in the path of an error',
      covers: ['problem.path_cut', 'problem.validation_failed'],
      async run(context) {
        const long = 'p'.repeat(5_000);
        for (const [method, path, options] of [
          ['POST', 'projects', { body: { name: 'Shop', [long]: 1 } }],
          ['GET', `errors?${long}=1`, {}],
        ] as const) {
          const { body, text } = await context.call(method, path, options);
          expect(body.code).toBe('validation_failed');
          expect(body.errors.length).toBeGreaterThan(0);
          expect(text).not.toContain('p'.repeat(101));
        }
      },
    },
    {
      title: 'no error echoes text of the request',
      covers: ['problem.silent'],
      async run(context) {
        const secret = 'hunter2-in-the-request';
        for (const [method, path, options] of [
          ['GET', secret, {}],
          ['GET', `projects/${secret}`, {}],
          ['GET', `errors?status=${secret}`, {}],
          ['GET', `errors?${secret}=1`, {}],
          ['GET', `errors?project_id=${secret}`, {}],
          ['GET', 'projects', { token: secret }],
          ['GET', 'projects', { token: null, headers: { authorization: secret } }],
          ['POST', 'projects', { body: `{"name": "${secret}"` }],
          ['POST', 'projects', { body: `${secret}` }],
          ['POST', 'projects', { body: { name: { [secret]: secret } } }],
          ['POST', 'projects', { body: '{}', headers: { 'content-type': secret } }],
          ['POST', 'projects', { body: '{}', headers: { 'content-encoding': secret } }],
          ['PATCH', `errors/${await context.fixture('group')}/status`, { body: { status: secret } }],
          ['POST', 'auth/login', { token: null, body: { email: `${secret}@a.example`, password: secret } }],
          ['POST', 'auth/links/use', { token: null, body: { token: secret } }],
          ['POST', 'errors', { token: null, body: { project_api_key: secret, message: secret } }],
          [
            'POST',
            'errors',
            { token: null, body: { project_api_key: await context.fixture('key'), message: [secret] } },
          ],
          ['POST', 'errors', { token: null, body: '{}', headers: { origin: `https://${secret}.example` } }],
        ] as const) {
          const { status, body } = await context.call(method, path, options);
          expect(status, path).toBeGreaterThanOrEqual(400);
          expect(JSON.stringify({ ...body, errors: null }), `${method} ${path}`).not.toContain('hunter2');
        }
      },
    },
    {
      title: 'an upload with an unreadable form returns 400, with another media type 415',
      covers: ['problem.malformed_multipart', 'conv.bodies.type'],
      steps: [
        {
          request: 'POST projects/{project}/source-maps',
          body: 'no form at all',
          headers: { 'content-type': 'multipart/form-data; boundary=x' },
          outcome: 'malformed_multipart',
        },
        {
          request: 'POST projects/{project}/source-maps',
          body: 'no form at all',
          headers: { 'content-type': 'multipart/form-data' },
          outcome: 'malformed_multipart',
        },
        {
          request: 'POST projects/{project}/source-maps',
          body: '--x\r\nContent-Disposition: form-data; name="file"; filename="a.js.map"\r\n\r\n{"version":3',
          headers: { 'content-type': 'multipart/form-data; boundary=x' },
          outcome: 'malformed_multipart',
        },
        { request: 'POST projects/{project}/source-maps', body: {}, outcome: 'unsupported_media_type' },
      ],
    },
    {
      title: 'a body that is not gzip despite its Content-Encoding returns 400',
      covers: ['problem.bad_request'],
      steps: ['projects', 'errors'].flatMap((path) => [
        {
          request: `POST ${path}`,
          body: '{}',
          headers: { 'content-encoding': 'gzip' },
          outcome: 'bad_request' as const,
        },
        {
          request: `POST ${path}`,
          body: gzipSync('{"name":"Shop"}').subarray(0, 20),
          headers: { 'content-encoding': 'gzip' },
          outcome: 'bad_request' as const,
        },
      ]),
    },
    {
      title: 'an invalid key returns 401, a key that is not a string 422',
      covers: ['problem.invalid_api_key', 'problem.key_not_string'],
      steps: [
        ...['', ' ', 'x', 'pk_', 'pk_00000000000000000000000000000000', ' {key}', '{key} ', '{key}a'].map((key) => ({
          request: 'POST errors',
          token: null,
          body: { project_api_key: key, message: 'x' },
          outcome: 'invalid_api_key' as const,
          responseHeaders: { 'www-authenticate': null },
        })),
        ...[undefined, null, 5, true, ['{key}'], { key: '{key}' }].map((key) => ({
          request: 'POST errors',
          token: null,
          body: { project_api_key: key, message: 'x' },
          outcome: 'validation_failed' as const,
        })),
      ],
    },
    {
      title: 'an internal error returns 500 without details',
      covers: ['problem.internal_error'],
      targets: ['memory'],
      async run() {
        const { createService } = await import('../../../packages/server/src/index.ts');
        const service = await createService({ storage: 'memory:', logLevel: 'silent' });
        service.app.get('/api/v1/broken', () => {
          throw new Error('hunter2 in a defect');
        });
        const response = await service.fetch(new Request('http://x/api/v1/broken'));
        const text = await response.text();
        expect(response.status).toBe(500);
        expect(JSON.parse(text)).toMatchObject({
          code: 'internal_error',
          request_id: response.headers.get('x-request-id'),
        });
        expect(text).not.toContain('hunter2');
        expect(response.headers.get('cache-control')).toBe('no-store');
        await service.close();
      },
    },
  ],
};
