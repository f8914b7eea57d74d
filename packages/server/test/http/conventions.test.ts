import { gzipSync } from 'node:zlib';
import { limits } from '@service/protocol';
import { expect, test } from 'vitest';
import { adminToken, describeShared, type CallOptions } from '../test-utils/describe-service.ts';

const nested = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);

describeShared('invalid input', (service) => {
  const rows: [title: string, method: string, path: string, options: CallOptions, status: number, code: string][] = [
    ['an unknown path', 'GET', 'nothing/here', {}, 404, 'not_found'],
    ['an unknown path outside the API', 'GET', '/nothing', {}, 404, 'not_found'],
    ['a path that cannot be decoded', 'GET', '/%ZZ', {}, 400, 'bad_request'],
    ['a wrong method', 'PUT', 'errors', {}, 405, 'method_not_allowed'],
    ['a wrong method, before the token', 'DELETE', 'projects', { token: null }, 405, 'method_not_allowed'],
    ['no token', 'GET', 'projects', { token: null }, 401, 'missing_token'],
    ['no Bearer', 'GET', 'projects', { token: null, headers: { authorization: 'Basic abc' } }, 401, 'missing_token'],
    ['an invalid token', 'GET', 'projects', { token: 'nope' }, 401, 'invalid_token'],
    [
      'an unsigned token',
      'GET',
      'projects',
      { token: 'eyJhbGciOiJub25lIn0.eyJzaWQiOiJ4IiwiZXhwIjo5OTk5OTk5OTk5fQ.' },
      401,
      'invalid_token',
    ],
    ['a token, before the id', 'GET', 'projects/99', { token: 'nope' }, 401, 'invalid_token'],
    ['an unknown id', 'GET', 'projects/99', {}, 404, 'project_not_found'],
    ['an id that is not a number', 'GET', 'errors/abc', {}, 404, 'group_not_found'],
    ['an id of 0', 'GET', 'errors/0', {}, 404, 'group_not_found'],
    ['an id above all integers', 'GET', 'errors/99999999999999999999', {}, 404, 'group_not_found'],
    ['an id, before the body', 'PUT', 'projects/99', { body: '{' }, 404, 'project_not_found'],
    ['no body', 'POST', 'projects', { headers: { 'content-type': 'application/json' } }, 400, 'malformed_json'],
    ['broken JSON', 'POST', 'projects', { body: '{"name":' }, 400, 'malformed_json'],
    ['null', 'POST', 'projects', { body: 'null' }, 422, 'validation_failed'],
    ['a list', 'POST', 'projects', { body: '[]' }, 422, 'validation_failed'],
    ['a scalar', 'POST', 'projects', { body: '1' }, 422, 'validation_failed'],
    [
      'another type',
      'POST',
      'projects',
      { body: '{}', headers: { 'content-type': 'text/plain' } },
      415,
      'unsupported_media_type',
    ],
    [
      'another encoding',
      'POST',
      'projects',
      { body: '{}', headers: { 'content-encoding': 'br' } },
      415,
      'unsupported_media_type',
    ],
    [
      'a body that is not gzip',
      'POST',
      'projects',
      { body: '{}', headers: { 'content-encoding': 'gzip' } },
      400,
      'bad_request',
    ],
    ['a blank name', 'POST', 'projects', { body: { name: '  ' } }, 422, 'validation_failed'],
    ['a long name', 'POST', 'projects', { body: { name: 'n'.repeat(201) } }, 422, 'validation_failed'],
    ['a number as a name', 'POST', 'projects', { body: { name: 1 } }, 422, 'validation_failed'],
    ['an unknown field', 'POST', 'projects', { body: { name: 'x', id: 7 } }, 422, 'validation_failed'],
    ['a large body', 'POST', 'projects', { body: { name: 'n'.repeat(70_000) } }, 413, 'payload_too_large'],
    ['an unknown query parameter', 'GET', 'errors?color=red', {}, 422, 'validation_failed'],
    ['page 0', 'GET', 'errors?page=0', {}, 422, 'validation_failed'],
    ['a size over 100', 'GET', 'errors?size=101', {}, 422, 'validation_failed'],
    ['a repeated parameter', 'GET', 'errors?page=1&page=2', {}, 422, 'validation_failed'],
    ['a query on a path without parameters', 'GET', 'projects?color=red', {}, 422, 'validation_failed'],
    ['a query in addition to a body', 'POST', 'projects?color=red', { body: { name: 'x' } }, 422, 'validation_failed'],
    ['a query of a group', 'GET', 'projects/1/facets?color=red', {}, 422, 'validation_failed'],
    ['a project id that is not a number', 'GET', 'errors?project_id=abc', {}, 422, 'validation_failed'],
    ['an unknown project id', 'GET', 'errors?project_id=99', {}, 404, 'project_not_found'],
    ['the largest project id', 'GET', 'errors?project_id=9007199254740991', {}, 404, 'project_not_found'],
    ['a project id above it', 'GET', 'errors?project_id=9007199254740992', {}, 422, 'validation_failed'],
    ['an unknown status', 'GET', 'errors?status=open', {}, 422, 'validation_failed'],
    ['a long search', 'GET', `errors?search=${'x'.repeat(201)}`, {}, 422, 'validation_failed'],
    ['reports: no body', 'POST', 'errors', { headers: { 'content-type': 'application/json' } }, 400, 'malformed_json'],
    ['reports: null', 'POST', 'errors', { body: 'null' }, 422, 'validation_failed'],
    ['reports: 2 MB', 'POST', 'errors', { body: { message: 'm'.repeat(2_000_000) } }, 413, 'payload_too_large'],
    [
      'reports: text/plain',
      'POST',
      'errors',
      { body: '{}', headers: { 'content-type': 'text/plain' } },
      415,
      'unsupported_media_type',
    ],
    [
      'reports: a wrong key in deep JSON',
      'POST',
      'errors',
      { body: `{"project_api_key":"x","metadata":${nested(20_000)}}` },
      401,
      'invalid_api_key',
    ],
    [
      'reports: a compression bomb',
      'POST',
      'errors',
      { body: gzipSync(Buffer.alloc(5_000_000, 0x20)), headers: { 'content-encoding': 'gzip' } },
      413,
      'payload_too_large',
    ],
    [
      'a form without a boundary that is not gzip',
      'POST',
      'projects/1/source-maps',
      { body: 'x', headers: { 'content-type': 'multipart/form-data', 'content-encoding': 'gzip' } },
      400,
      'malformed_multipart',
    ],
    [
      'sign-in: a wrong password',
      'POST',
      'auth/login',
      { token: null, body: { email: 'admin@localhost', password: 'wrong' } },
      401,
      'invalid_credentials',
    ],
    [
      'sign-in: an unknown e-mail',
      'POST',
      'auth/login',
      { token: null, body: { email: 'a@b.example', password: 'wrong' } },
      401,
      'invalid_credentials',
    ],
    [
      'sign-in: no password',
      'POST',
      'auth/login',
      { token: null, body: { email: 'a@b.example' } },
      422,
      'validation_failed',
    ],
    [
      'sign-in: an invalid link',
      'POST',
      'auth/links/use',
      { token: null, body: { token: 'nope' } },
      401,
      'invalid_token',
    ],
  ];

  test.each([
    ['errors?size=101', 'size: expected number to be <=100'],
    ['errors?page=0', 'page: expected number to be >=1'],
    ['errors?status=open', 'status: expected one of "active"|"resolved"'],
  ])('the detail of %s is the expected value without a prefix', async (path, detail) => {
    expect((await service().call('GET', path)).body.detail).toBe(detail);
  });

  test.each(rows)('%s is rejected: %s %s', async (_title, method, path, options, status, code) => {
    const { call } = service();
    const response = await call(method, path, options);
    expect([response.status, response.body.code]).toEqual([status, code]);
    expect(response.body).toMatchObject({
      type: `/docs/problems#${code}`,
      status,
      title: expect.any(String),
      detail: expect.stringMatching(/\w/),
    });
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.body.request_id).toBe(response.headers.get('x-request-id'));
    const asksForToken = status === 401 && code !== 'invalid_api_key';
    expect(response.headers.get('www-authenticate')).toBe(asksForToken ? 'Bearer' : null);
    expect(response.headers.has('allow')).toBe(status === 405);
  });

  test('JSON that is too deep or too wide is rejected', async () => {
    const { report } = service();
    const metadata = JSON.parse(nested(40)) as object;
    expect((await report({ metadata })).body.code).toBe('validation_failed');
    const wide = Array.from({ length: limits.jsonNodes }, () => 0);
    expect((await report({ metadata: { wide } })).body.code).toBe('validation_failed');
  });

  test('a response never quotes the request', async () => {
    const { call, report } = service();
    const secret = 'hunter2-in-the-request';
    for (const response of [
      await call('GET', secret),
      await call('POST', 'projects', { body: `{"name": "${secret}"` }),
      await call('GET', `errors?status=${secret}`),
      await report({ project_api_key: secret }),
      await call('GET', 'projects', { token: secret }),
      await call('GET', `errors?${secret}=1`),
    ]) {
      expect(response.status).toBeGreaterThanOrEqual(400);
      // `errors` may contain field names of the request, `detail` may not.
      expect(JSON.stringify({ ...response.body, errors: null })).not.toContain(secret);
    }
  });
});

describeShared('responses', (service) => {
  test('a response has a request id: that of the client if valid, or a new one', async () => {
    const { call } = service();
    expect(
      (await call('GET', 'projects', { headers: { 'x-request-id': 'abc_DEF-1' } })).headers.get('x-request-id'),
    ).toBe('abc_DEF-1');
    const made = await call('GET', 'projects', { headers: { 'x-request-id': 'has spaces' } });
    expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('a response of the API is not cached', async () => {
    const { call } = service();
    expect((await call('GET', 'projects')).headers.get('cache-control')).toBe('no-store');
  });

  test('a response over 1 KiB is compressed for clients that accept it', async () => {
    const { call } = service();
    for (let index = 0; index < 10; index++) await call('POST', 'projects', { body: { name: `Project ${index}` } });
    const packed = await call('GET', 'projects', { headers: { 'accept-encoding': 'gzip' } });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    const plain = { headers: { 'accept-encoding': 'identity' } };
    expect((await call('GET', 'projects', plain)).headers.get('content-encoding')).toBeNull();
    expect(
      (await call('GET', 'projects', { headers: { 'accept-encoding': 'gzip;q=0' } })).headers.get('content-encoding'),
    ).toBeNull();
    expect(
      (await call('GET', 'projects/1', { headers: { 'accept-encoding': 'gzip' } })).headers.get('content-encoding'),
    ).toBeNull();
  });

  test('a HEAD response is the GET response without its body', async () => {
    const { call } = service();
    const response = await call('HEAD', 'projects');
    expect([response.status, response.text]).toEqual([200, '']);
    expect((await call('HEAD', 'projects', { token: null })).status).toBe(401);
  });

  test('the largest page of each list is empty', async () => {
    const { call, report } = service();
    await report();
    const page = Number.MAX_SAFE_INTEGER;
    for (const path of ['errors', 'errors/1/reports', 'errors/1/merged', 'members', 'projects/1/source-maps'])
      expect([path, (await call('GET', `${path}?page=${page}`)).body]).toEqual([
        path,
        expect.objectContaining({ items: [], page, size: 50 }),
      ]);
    expect((await call('GET', `errors?page=${page}&order=asc`)).body).toMatchObject({ items: [] });
    expect((await call('GET', `errors?page=9007199254740992`)).status).toBe(422);
  });

  test('a gzipped report is accepted', async () => {
    const { report, project } = service();
    const body = gzipSync(JSON.stringify({ project_api_key: project.api_key, message: 'packed' }));
    expect(
      (
        await report(
          {},
          { body, headers: { 'content-encoding': 'gzip', 'content-type': 'application/json; charset=utf-8' } },
        )
      ).status,
    ).toBe(200);
  });

  test('GET /healthz and /readyz need no token', async () => {
    const { call } = service();
    expect((await call('GET', '/healthz', { token: null })).body).toEqual({ status: 'ok' });
    expect((await call('GET', '/readyz', { token: null })).status).toBe(200);
  });

  test('operations without input accept an empty body or {}', async () => {
    const { call } = service();
    expect((await call('POST', 'projects/1/api-key/rotate')).status).toBe(200);
    expect((await call('POST', 'projects/1/api-key/rotate', { body: {} })).status).toBe(200);
    expect((await call('POST', 'projects/1/api-key/rotate', { body: { a: 1 } })).status).toBe(422);
    expect((await call('POST', 'projects/1/api-key/rotate', { body: '{', token: adminToken })).status).toBe(400);
  });
});
