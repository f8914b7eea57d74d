import type { ProjectDetails, Usage } from '@service/protocol';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { dsnKey } from '../../src/projects/dsn.ts';
import { describeInMemory, describeService, describeShared, type TestService } from '../test-utils/describe-service.ts';
import { envelopeOf, event, postEnvelope } from './sentry-client.ts';

const eventId = '0123456789abcdef0123456789abcdef';

describeService('the intake of Sentry SDKs', (start) => {
  test('stores an event once, and returns its id', async () => {
    const service = await start();
    const { call } = service;
    const first = await postEnvelope(service, envelopeOf([event()], { event_id: eventId }));
    expect(first.status).toBe(200);
    expect(first.json).toEqual({ id: eventId });
    const repeated = await postEnvelope(service, envelopeOf([event()], { event_id: eventId }));
    expect(repeated.json).toEqual({ id: eventId });
    const { body } = await call('GET', 'errors/1');
    expect(body).toMatchObject({ type: 'TypeError', message: 'cart is empty', count: 1, culprit: 'total (cart.js)' });
    expect(body.latest_report).toMatchObject({
      event_id: '01234567-89ab-cdef-0123-456789abcdef',
      environment: 'production',
      release: 'shop@1.2.3',
      url: 'https://shop.example/cart',
      user: { id: '7', email: 'ada@shop.example' },
      tags: { area: 'cart' },
      level: 'error',
      sdk: { name: 'sentry.javascript.browser', version: '11.0.0' },
      breadcrumbs: [{ type: 'default', category: 'ui.click', data: { message: 'button#pay' } }],
    });
  });

  test('reads every encoding of SDKs', async () => {
    const service = await start();
    const plain = (text: string): Buffer => Buffer.from(text);
    const encodings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, '': plain, identity: plain };
    for (const [encoding, encode] of Object.entries(encodings)) {
      const body = encode(envelopeOf([event()]));
      expect((await postEnvelope(service, body, { headers: { 'content-encoding': encoding } })).status).toBe(200);
    }
    expect((await service.call('GET', 'errors/1')).body.count).toBe(5);
  });

  test('reads an event of the older endpoint, with and without an id', async () => {
    const service = await start();
    const send = (fields: object): Promise<{ status: number; json: unknown }> =>
      postEnvelope(service, JSON.stringify(event({ ...fields })), { path: 'store' });
    expect(await send({})).toMatchObject({ status: 200, json: { id: expect.stringMatching(/^[\da-f]{32}$/) } });
    expect(await send({ event_id: eventId })).toMatchObject({ status: 200, json: { id: eventId } });
    expect((await service.call('GET', 'errors/1')).body.count).toBe(2);
  });
});

describeInMemory('the key of a project', (start) => {
  test.each([
    ['in the query', (key: string) => ({ query: `?sentry_version=7&sentry_key=${key}`, headers: {} })],
    [
      'in X-Sentry-Auth',
      (key: string) => ({
        query: '',
        headers: { 'x-sentry-auth': `Sentry sentry_version=7, sentry_client=x/1, sentry_key=${key}` },
      }),
    ],
    [
      'in Authorization',
      (key: string) => ({ query: '', headers: { authorization: `Sentry sentry_key=${key},sentry_version=7` } }),
    ],
  ])('is read %s', async (_where, requestOf) => {
    const service = await start();
    const { status } = await postEnvelope(service, envelopeOf([event()]), requestOf(keyOf(service)));
    expect(status).toBe(200);
    expect((await postEnvelope(service, envelopeOf([event()]), requestOf('0'.repeat(32)))).status).toBe(401);
  });

  test('is read from the DSN in the envelope, as a tunnel sends it', async () => {
    const service = await start();
    const { dsn } = (await service.call<ProjectDetails>('GET', 'projects/1')).body;
    const none = { query: '', headers: {} };
    expect((await postEnvelope(service, envelopeOf([event()], { dsn }), none)).status).toBe(200);
    expect((await postEnvelope(service, envelopeOf([event()]), none)).status).toBe(401);
    expect((await postEnvelope(service, envelopeOf([event()], { dsn: 7 }), none)).status).toBe(401);
    expect((await postEnvelope(service, '', none)).status).toBe(401);
    expect((await postEnvelope(service, JSON.stringify(event()), { ...none, path: 'store' })).status).toBe(401);
  });

  test('may be the API key itself', async () => {
    const service = await start();
    const { status } = await postEnvelope(service, envelopeOf([event()]), {
      query: `?sentry_key=${service.project.api_key}`,
    });
    expect(status).toBe(200);
  });

  test('is rejected for another project', async () => {
    const service = await start();
    const { body: other } = await service.call('POST', 'projects', { body: { name: 'Other' } });
    const { status, json, headers } = await postEnvelope(service, envelopeOf([event()]), { projectId: other.id! });
    expect(status).toBe(401);
    expect(json).toMatchObject({ code: 'invalid_api_key' });
    expect(headers.get('x-sentry-error')).toMatch(/No project has this API key/);
  });

  test('is in the DSN of the project, and rotates with the API key', async () => {
    const service = await start();
    const { id } = service.project;
    const readDsn = async (): Promise<string> => (await service.call<ProjectDetails>('GET', `projects/${id}`)).body.dsn;
    const dsn = await readDsn();
    expect(dsn).toMatch(/^http:\/\/[\da-f]{32}@[\w.:]+\/1$/);
    await service.call('POST', `projects/${id}/api-key/rotate`);
    const rotated = await readDsn();
    expect(rotated).not.toBe(dsn);
    expect((await postEnvelope(service, envelopeOf([event()]))).status).toBe(401);
    const query = `?sentry_key=${new URL(rotated).username}`;
    expect((await postEnvelope(service, envelopeOf([event()]), { query })).status).toBe(200);
  });
});

describeInMemory('items that are not stored', (start) => {
  const session = [{ type: 'session' }, { sid: '1', status: 'ok' }];

  test('are no error, and the SDK is asked not to send them', async () => {
    const service = await start();
    const { status, json, headers } = await postEnvelope(service, envelopeOf([], {}, [session]));
    expect([status, json]).toEqual([200, {}]);
    expect(headers.get('x-sentry-rate-limits')).toMatch(/^86400:session;transaction;.*:organization:not_supported$/);
    const { body } = await service.call('GET', `errors?project_id=${service.project.id}`);
    expect(body.total).toBe(0);
  });

  test('do not prevent the storing of an event in the same envelope', async () => {
    const service = await start();
    const items = [session, [{ type: 'replay_recording', length: 5 }, 'a\nb\nc'], [{ type: 'new_thing' }, {}]];
    expect((await postEnvelope(service, envelopeOf([event()], {}, items))).status).toBe(200);
    expect((await service.call('GET', 'errors/1')).body.count).toBe(1);
  });

  test('are counted by kind', async () => {
    const service = await start();
    const report = {
      discarded_events: [
        { reason: 'sample_rate', category: 'error', quantity: 3 },
        { reason: 'sample_rate', category: 'session', quantity: 5 },
        { reason: 'made up', category: 'error', quantity: 2 },
        { reason: 'sample_rate', category: 'error', quantity: -1 },
      ],
    };
    const items = [session, session, [{ type: 'made up' }, {}], [{ type: 'client_report' }, report]];
    await postEnvelope(service, envelopeOf([event({ type: 'transaction' })], {}, items));
    const { body } = await service.call<object>('GET', `projects/${service.project.id}/dropped-items`);
    expect(body).toEqual({
      since: expect.any(String),
      sent: { session: 2, unknown: 1, client_report: 1, transaction: 1 },
      unsent: { sample_rate: 3, other: 2 },
    });
    const metrics = await service.call('GET', '/metrics');
    expect(metrics.text).toContain('service_sentry_items_dropped_total{project_id="1",kind="session"} 2');
    await service.call('DELETE', 'projects/1');
    expect((await service.call('GET', '/metrics')).text).not.toContain('service_sentry_items_dropped_total{');
  });
});

describeInMemory('data with a separate endpoint in Sentry', (start) => {
  test('is counted and answered with 404', async () => {
    const service = await start();
    const send = async (path: string): Promise<number> =>
      (await service.call('POST', path, { token: null, body: '{"csp-report":{}}' })).status;
    const key = `?sentry_key=${keyOf(service)}`;
    for (const endpoint of ['security', 'security/', 'minidump', 'user-report'])
      expect(await send(`/api/1/${endpoint}${key}`), endpoint).toBe(404);
    for (const path of ['/api/1/security/', `/api/2/security/${key}`, `/api/x/minidump/${key}`])
      expect(await send(path), path).toBe(401);
    const { body } = await service.call<object>('GET', 'projects/1/dropped-items');
    expect(body).toMatchObject({ sent: { raw_security: 2, minidump: 1, user_report: 1 } });
  });
});

describeInMemory('the response to an envelope with only an event', (start) => {
  test('has no rate limits, which would make an SDK that was offline send one event a minute', async () => {
    const service = await start();
    const { status, headers } = await postEnvelope(service, envelopeOf([event()]));
    expect([status, headers.get('x-sentry-rate-limits')]).toEqual([200, null]);
  });
});

describeInMemory('a quota of 3 errors', (start) => {
  test('rejects the fourth event and accepts sessions', async () => {
    const service = await start({ errorQuota: 3 });
    for (let sent = 0; sent < 3; sent++) expect((await postEnvelope(service, envelopeOf([event()]))).status).toBe(200);
    const { status, headers } = await postEnvelope(service, envelopeOf([event()]));
    expect(status).toBe(429);
    expect(headers.get('x-sentry-rate-limits')).toMatch(/^300:error;default;security:organization:quota_exhausted, /);
    expect(headers.get('retry-after')).toBe('300');
    const session = [{ type: 'session' }, {}];
    expect((await postEnvelope(service, envelopeOf([], {}, [session]))).status).toBe(200);
    const report = { discarded_events: [{ reason: 'ratelimit_backoff', category: 'error', quantity: 7 }] };
    await postEnvelope(service, envelopeOf([], {}, [[{ type: 'client_report' }, report]]));
    const { body } = await service.call<Usage>('GET', 'billing/usage');
    expect(body.errors.refused).toBe(8);
  });
});

describeInMemory('pages', (start) => {
  const origin = 'https://shop.example';

  test('of an allowed origin can read why something was rejected', async () => {
    const service = await start({ corsOrigins: [origin] });
    const { status, headers } = await postEnvelope(service, 'no envelope', { headers: { origin } });
    expect(status).toBe(400);
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect(headers.get('access-control-expose-headers')).toContain('X-Sentry-Rate-Limits, Retry-After');
    expect(headers.get('x-sentry-error')).toBe('The body is not an envelope of a Sentry SDK.');
  });

  test('of another origin are rejected', async () => {
    const service = await start();
    const { status, headers } = await postEnvelope(service, envelopeOf([event()]), { headers: { origin } });
    expect(status).toBe(403);
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('x-sentry-error')).toMatch(/Pages of this origin/);
  });

  test('get a response to their preflight', async () => {
    const service = await start({ corsOrigins: [origin] });
    const { status, headers } = await service.call('OPTIONS', '/api/1/envelope/', { headers: { origin }, token: null });
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-headers')).toContain('x-sentry-auth');
  });
});

describeShared('a body that is no event', (shared) => {
  const deep = '['.repeat(40) + ']'.repeat(40);

  test.each<[string, string, 200 | 400]>([
    ['nothing', '', 200],
    ['a header alone', '{}', 200],
    ['empty lines', '{}\n\n\n', 200],
    ['text', 'hello', 400],
    ['a list', '[]', 400],
    ['a broken item header', '{}\n{"type":', 400],
    ['a broken event', '{}\n{"type":"event"}\n{"exception":', 400],
    ['an event that is a list', '{}\n{"type":"event"}\n[]', 400],
    ['an event that is nested too deep', `{}\n{"type":"event"}\n{"extra":${deep}}`, 400],
    ['a thousand empty lines, then another', '\n'.repeat(1_001), 400],
    ['an event that ends early', '{}\n{"type":"event","length":100}\n{}', 400],
    ['a session that ends early', '{}\n{"type":"session","length":4294967296}\n{}', 200],
    ['a payload without its end', '{}\n{"type":"session","length":2}\n{}{}', 400],
    ['an empty event', '{}\n{"type":"event"}\n{}', 200],
    ['an item without a type', '{}\n{}\n{}', 200],
    ['a header of wrong types', '{"event_id":7,"sent_at":[],"dsn":{}}\n{"type":"event","length":"x"}\n{}', 200],
  ])('with %s is handled without a server error', async (_name, body, expected) => {
    expect((await postEnvelope(shared(), body)).status).toBe(expected);
  });

  test('of an unknown encoding, or badly encoded, is rejected', async () => {
    const send = async (encoding: string): Promise<number> =>
      (await postEnvelope(shared(), 'x', { headers: { 'content-encoding': encoding } })).status;
    expect(await send('zstd')).toBe(415);
    for (const encoding of ['gzip', 'deflate', 'br']) expect(await send(encoding)).toBe(400);
  });

  test('for a project that does not exist is rejected', async () => {
    for (const projectId of [0, 2, 999_999_999_999_999])
      expect((await postEnvelope(shared(), envelopeOf([event()]), { projectId })).status).toBe(401);
  });
});

function keyOf({ project }: TestService): string {
  return dsnKey(project.api_key);
}
