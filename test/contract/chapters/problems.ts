import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { problems } from '../../../packages/protocol/src/index.ts';
import type { Chapter } from '../chapter.ts';

/** The error body. What `checkAnswer` asks of every answer is shown here to be asked. */
export const problemBodies: Chapter = {
  name: 'problems',
  tests: [
    {
      title: 'an error is told with its members, as JSON',
      proves: ['problem.members', 'problem.json', 'problem.type', 'problem.request_id', 'problem.errors'],
      async run(scene) {
        const { body, headers } = await scene.call('GET', 'projects/900000000000');
        expect(headers.get('content-type')).toMatch(/^application\/json/);
        expect(body).toEqual({
          type: '/docs/problems#project_not_found',
          title: expect.any(String),
          status: 404,
          code: 'project_not_found',
          detail: expect.stringMatching(/\w+ \w+/),
          request_id: headers.get('x-request-id'),
        });
        const { body: invalid } = await scene.call('POST', 'projects', { body: { name: 5 } });
        expect(invalid).toMatchObject({
          code: 'validation_failed',
          errors: [{ path: 'name', detail: expect.any(String) }],
        });
        expect(invalid.detail).toContain('name');
      },
    },
    {
      title: 'the type of an error leads to its place on a page, where every code has one',
      proves: ['program.problems_page', 'problem.type'],
      async run(scene) {
        const { body } = await scene.call('GET', 'projects', { token: null });
        const { pathname, hash } = new URL(body.type, scene.server.url);
        const { status, headers, text } = await scene.call('GET', pathname, { token: null });
        expect([status, headers.get('content-type')]).toEqual([
          200,
          expect.stringMatching(/^text\/html; ?charset=utf-8$/i),
        ]);
        const places = Array.from(text.matchAll(/ id="([^"]+)"/g), ([, id]) => id);
        expect(places).toEqual(expect.arrayContaining([hash.slice(1), ...Object.keys(problems)]));
      },
    },
    {
      title: 'a field is named by its path, which is cut',
      proves: ['problem.path_cut', 'problem.validation_failed'],
      async run(scene) {
        const long = 'p'.repeat(5_000);
        for (const [method, path, ask] of [
          ['POST', 'projects', { body: { name: 'Shop', [long]: 1 } }],
          ['GET', `errors?${long}=1`, {}],
        ] as const) {
          const { body, text } = await scene.call(method, path, ask);
          expect(body.code).toBe('validation_failed');
          expect(body.errors.length).toBeGreaterThan(0);
          expect(text).not.toContain('p'.repeat(101));
        }
      },
    },
    {
      title: 'no error repeats what was sent',
      proves: ['problem.silent'],
      async run(scene) {
        const secret = 'hunter2-in-the-request';
        for (const [method, path, ask] of [
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
          ['PATCH', `errors/${await scene.know('group')}/status`, { body: { status: secret } }],
          ['POST', 'auth/login', { token: null, body: { email: `${secret}@a.example`, password: secret } }],
          ['POST', 'auth/links/use', { token: null, body: { token: secret } }],
          ['POST', 'errors', { token: null, body: { project_api_key: secret, message: secret } }],
          ['POST', 'errors', { token: null, body: { project_api_key: await scene.know('key'), message: [secret] } }],
          ['POST', 'errors', { token: null, body: '{}', headers: { origin: `https://${secret}.example` } }],
        ] as const) {
          const { status, body } = await scene.call(method, path, ask);
          expect(status, path).toBeGreaterThanOrEqual(400);
          expect(JSON.stringify({ ...body, errors: null }), `${method} ${path}`).not.toContain('hunter2');
        }
      },
    },
    {
      title: 'an upload that is no form is 400, of another type 415',
      proves: ['problem.malformed_multipart', 'conv.bodies.type'],
      steps: [
        {
          ask: 'POST projects/{project}/source-maps',
          body: 'no form at all',
          headers: { 'content-type': 'multipart/form-data; boundary=x' },
          get: 'malformed_multipart',
        },
        {
          ask: 'POST projects/{project}/source-maps',
          body: 'no form at all',
          headers: { 'content-type': 'multipart/form-data' },
          get: 'malformed_multipart',
        },
        {
          ask: 'POST projects/{project}/source-maps',
          body: '--x\r\nContent-Disposition: form-data; name="file"; filename="a.js.map"\r\n\r\n{"version":3',
          headers: { 'content-type': 'multipart/form-data; boundary=x' },
          get: 'malformed_multipart',
        },
        { ask: 'POST projects/{project}/source-maps', body: {}, get: 'unsupported_media_type' },
      ],
    },
    {
      title: 'what calls itself gzip and is not is 400',
      proves: ['problem.bad_request'],
      steps: ['projects', 'errors'].flatMap((path) => [
        { ask: `POST ${path}`, body: '{}', headers: { 'content-encoding': 'gzip' }, get: 'bad_request' as const },
        {
          ask: `POST ${path}`,
          body: gzipSync('{"name":"Shop"}').subarray(0, 20),
          headers: { 'content-encoding': 'gzip' },
          get: 'bad_request' as const,
        },
      ]),
    },
    {
      title: 'a key that is any string but a valid one is 401, and no string at all is 422',
      proves: ['problem.invalid_api_key', 'problem.key_not_string'],
      steps: [
        ...['', ' ', 'x', 'pk_', 'pk_00000000000000000000000000000000', ' {key}', '{key} ', '{key}a'].map((key) => ({
          ask: 'POST errors',
          as: null,
          body: { project_api_key: key, message: 'x' },
          get: 'invalid_api_key' as const,
          head: { 'www-authenticate': null },
        })),
        ...[undefined, null, 5, true, ['{key}'], { key: '{key}' }].map((key) => ({
          ask: 'POST errors',
          as: null,
          body: { project_api_key: key, message: 'x' },
          get: 'validation_failed' as const,
        })),
      ],
    },
  ],
};
