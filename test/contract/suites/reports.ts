import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import type { Json } from '../api-call.ts';
import { adminPassword } from '../credentials.ts';
import { setStatus } from '../set-status.ts';
import type { Step } from '../step.ts';
import type { Suite } from '../suite.ts';

const stacktrace = 'TypeError: total is undefined\n    at checkout (https://shop.example/app.js:1:1)';
const eventId = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

const reportStep = (body: object, more: Partial<Step> = {}): Step => ({
  request: 'POST errors',
  token: null,
  body: { project_api_key: '{key}', ...body },
  outcome: 200,
  ...more,
});

/** POST /errors. */
export const reports: Suite = {
  name: 'reports',
  tests: [
    {
      title: 'an accepted report returns its group',
      covers: ['errors.post.accepted', 'errors.post.fingerprint', 'auth.key_in_body'],
      async run(context) {
        const first = await context.createReport({ message: 'total is undefined', stacktrace });
        expect(first).toEqual({
          success: true,
          error_group_id: expect.any(Number),
          fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
          is_new_group: true,
        });
        expect(await context.createReport({ message: 'total is undefined', stacktrace })).toEqual({
          ...first,
          is_new_group: false,
        });
      },
    },
    {
      title: 'a report needs a message or a stack trace and no other field',
      covers: ['errors.post.message', 'errors.post.optional'],
      steps: [
        reportStep({ message: 'x' }),
        reportStep({ stacktrace }),
        reportStep({ message: '', stacktrace }),
        reportStep({ message: null, stacktrace }),
        reportStep({ message: '  \n', stacktrace }),
        reportStep({}, { outcome: 'validation_failed' }),
        reportStep({ message: '' }, { outcome: 'validation_failed' }),
        reportStep({ message: ' \t\n\u00a0' }, { outcome: 'validation_failed' }),
        reportStep({ message: null }, { outcome: 'validation_failed' }),
        reportStep({ message: ' ', stacktrace: ' \n ' }, { outcome: 'validation_failed' }),
        reportStep({ stacktrace: '' }, { outcome: 'validation_failed' }),
        ...[
          'stacktrace',
          'environment',
          'release',
          'url',
          'user_agent',
          'metadata',
          'breadcrumbs',
          'type',
          'timestamp',
          'event_id',
          'debug_ids',
          'user',
          'sdk',
          'level',
        ].map((field) => reportStep({ message: 'x', [field]: null })),
      ],
    },
    {
      title: 'a specified field of a wrong type returns 422',
      covers: ['errors.post.wrong_type', 'problem.validation_failed'],
      async run(context) {
        const cases: [field: string, values: unknown[]][] = [
          ...['message', 'stacktrace', 'environment', 'release', 'url', 'user_agent'].map(
            (field): [string, unknown[]] => [field, [5, true, [], {}]],
          ),
          ['metadata', ['text', 5, true, []]],
          ['breadcrumbs', ['text', 5, true, {}]],
        ];
        for (const [field, values] of cases)
          for (const value of values) {
            const { status, body } = await context.report({ stacktrace, [field]: value });
            expect([field, value, status]).toEqual([field, value, 422]);
            expect(body.errors.map(({ path }: Json) => path)).toContain(field);
          }
      },
    },
    {
      title: 'checks of a report run in the documented order',
      covers: ['errors.post.order', 'quota.last'],
      settings: { errorQuota: 0, corsOrigins: ['https://shop.example'] },
      async run(context) {
        const key = await context.fixture('key');
        const foreign = { origin: 'https://evil.example' };
        const plain = { 'content-type': 'text/plain' };
        const large = ' '.repeat(1024 * 1024);
        const codes = [];
        for (const [body, headers] of [
          [`{"project_api_key":5,${large}`, { ...foreign, ...plain }],
          [`{"project_api_key":5,${large}`, plain],
          [`{"project_api_key":5,${large}`, { 'content-encoding': 'br' }],
          [`{"project_api_key":5,${large}`, {}],
          ['{"project_api_key":5,', {}],
          ['{"project_api_key":5,"message":7}', {}],
          ['{"project_api_key":"x","message":7}', {}],
          [`{"project_api_key":"${key}","message":7}`, {}],
          [`{"project_api_key":"${key}","message":"x"}`, {}],
        ] as const)
          codes.push(await context.outcome('POST', 'errors', { token: null, body, headers }));
        expect(codes).toEqual([
          'origin_not_allowed',
          'unsupported_media_type',
          'unsupported_media_type',
          'payload_too_large',
          'malformed_json',
          'validation_failed',
          'invalid_api_key',
          'validation_failed',
          'error_quota_exhausted',
        ]);
      },
    },
    {
      title: 'an unreadable report body is rejected',
      covers: [
        'conv.bodies.empty',
        'conv.bodies.not_object',
        'conv.bodies.type',
        'conv.compression.gzip',
        'conv.bodies.in',
      ],
      steps: [
        {
          request: 'POST errors',
          token: null,
          headers: { 'content-type': 'application/json' },
          outcome: 'malformed_json',
        },
        ...['', ' ', '{', 'undefined', '{"a":1,}', "{'a':1}"].map((body) => ({
          request: 'POST errors',
          token: null,
          body,
          outcome: 'malformed_json' as const,
        })),
        ...['null', '[]', '1', '"x"', 'true'].map((body) => ({
          request: 'POST errors',
          token: null,
          body,
          outcome: 'validation_failed' as const,
        })),
        ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'].map((type) => ({
          request: 'POST errors',
          token: null,
          body: '{}',
          headers: { 'content-type': type },
          outcome: 'unsupported_media_type' as const,
        })),
        ...['br', 'deflate', 'gzip, gzip', 'zstd'].map((encoding) => ({
          request: 'POST errors',
          token: null,
          body: '{}',
          headers: { 'content-encoding': encoding },
          outcome: 'unsupported_media_type' as const,
        })),
        reportStep({ message: 'x' }, { headers: { 'content-type': 'Application/JSON; charset=UTF-8' } }),
        reportStep({ message: 'x' }, { headers: { 'content-encoding': 'identity' } }),
      ],
    },
    {
      title: 'a gzipped report is accepted',
      covers: ['conv.compression.gzip'],
      async run(context) {
        const body = gzipSync(
          JSON.stringify({ project_api_key: await context.fixture('key'), message: 'compressed 🙂' }),
        );
        for (const encoding of ['gzip', 'GZIP']) {
          const response = await context.report({}, { body, headers: { 'content-encoding': encoding } });
          expect(response.status, response.text).toBe(200);
        }
      },
    },
    {
      title: 'exactly one of 40 concurrent reports opens the group',
      covers: ['errors.post.one_new'],
      async run(context) {
        const responses = await Promise.all(
          Array.from({ length: 40 }, () => context.createReport({ message: 'all at once' })),
        );
        expect(responses.filter(({ is_new_group }) => is_new_group)).toHaveLength(1);
        expect(new Set(responses.map(({ error_group_id }) => error_group_id)).size).toBe(1);
        expect((await context.send(200, 'GET', `errors/${responses[0].error_group_id}`)).count).toBe(40);
      },
    },
    {
      title: 'a group is not new again after a restart',
      covers: ['errors.post.one_new', 'errors.repeat.restart', 'errors.post.durable', 'auth.jwt.restart'],
      targets: ['file', 'program'],
      needsOwnServer: true,
      async run(context) {
        const first = await context.createReport({ event_id: eventId });
        const login = { token: null, body: { email: 'admin@localhost', password: adminPassword } };
        const { access_token: token } = await context.send(200, 'POST', 'auth/login', login);
        await context.restart();
        expect(await context.createReport({ event_id: eventId })).toEqual(first);
        expect(await context.createReport()).toEqual({ ...first, is_new_group: false });
        expect((await context.send(200, 'GET', `errors/${first.error_group_id}`)).count).toBe(2);
        expect((await context.call('GET', 'projects', { token })).status).toBe(200);
      },
    },
    {
      title: 'a report reopens a resolved group',
      covers: ['errors.post.reopens', 'group.reopened'],
      async run(context) {
        const { error_group_id: id } = await context.createReport();
        await setStatus(context, id, 'resolved');
        expect(await context.createReport()).toMatchObject({ error_group_id: id, is_new_group: false });
        const group = await context.send(200, 'GET', `errors/${id}`);
        expect(group).toMatchObject({ status: 'active', reopen_count: 1, count: 2, resolved_at: null });
        expect(Date.parse(group.reopened_at)).toBeGreaterThan(0);
      },
    },
    {
      title: 'a repeat of an event_id gets the first response and changes nothing',
      covers: ['errors.repeat.response', 'errors.repeat.uncounted', 'errors.repeat.no_reopen', 'errors.repeat.project'],
      async run(context) {
        const first = await context.createReport({ event_id: eventId });
        expect(first.is_new_group).toBe(true);
        const path = `errors/${first.error_group_id}`;
        expect(await context.createReport({ event_id: eventId })).toEqual(first);
        expect(await context.createReport({ event_id: eventId.toUpperCase() })).toEqual(first);
        expect(await context.createReport({ event_id: eventId, message: 'something else' })).toEqual(first);
        expect(await context.send(200, 'GET', path)).toMatchObject({ count: 1 });
        await context.send(200, 'PATCH', `${path}/status`, { body: { status: 'resolved' } });
        expect(await context.createReport({ event_id: eventId })).toEqual(first);
        expect(await context.send(200, 'GET', path)).toMatchObject({ count: 1, status: 'resolved', reopen_count: 0 });
        const other = await context.createProject();
        const elsewhere = await context.createReport({ event_id: eventId, project_api_key: other.api_key });
        expect(elsewhere.is_new_group).toBe(true);
        expect(elsewhere.error_group_id).not.toBe(first.error_group_id);
      },
    },
    {
      title: 'concurrent repeats of an event_id count as one report',
      covers: ['errors.repeat.uncounted', 'errors.repeat.response'],
      async run(context) {
        const responses = await Promise.all(
          Array.from({ length: 30 }, () => context.createReport({ event_id: eventId })),
        );
        for (const response of responses) expect(response).toEqual(responses[0]);
        expect((await context.send(200, 'GET', `errors/${responses[0].error_group_id}`)).count).toBe(1);
      },
    },
    {
      title: 'an event_id is remembered for a day',
      covers: ['errors.repeat.day'],
      controlsClock: true,
      async run(context) {
        const { vi } = await import('vitest');
        const first = await context.createReport({ event_id: eventId });
        vi.setSystemTime(Date.now() + 23.9 * 3_600_000);
        expect(await context.createReport({ event_id: eventId })).toEqual(first);
        vi.setSystemTime(Date.now() + 0.2 * 3_600_000);
        expect(await context.createReport({ event_id: eventId })).toEqual({ ...first, is_new_group: false });
      },
    },
  ],
};
