import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import type { Json } from '../api-call.ts';
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
      title: 'a report is accepted, and told where it went',
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
      title: 'a message or a stack trace is required, all else is not',
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
      title: 'a blank message is replaced by the first line of the stack',
      covers: ['errors.post.first_line', 'errors.post.type'],
      async run(context) {
        for (const message of [undefined, null, '', ' \n'])
          expect((await context.storedReport({ message, stacktrace })).message).toBe('TypeError: total is undefined');
      },
    },
    {
      title: 'the type is the one sent, else that of the stack, else the prefix of the message',
      covers: ['errors.post.type'],
      async run(context) {
        const typeOf = async (fields: object): Promise<unknown> => {
          const { error_group_id } = await context.createReport(fields);
          return (await context.send(200, 'GET', `errors/${error_group_id}`)).type;
        };
        expect(await typeOf({ type: 'PaymentError', message: 'RangeError: a', stacktrace })).toBe('PaymentError');
        expect(await typeOf({ message: 'RangeError: b', stacktrace })).toBe('TypeError');
        expect(await typeOf({ message: 'RangeError: c' })).toBe('RangeError');
        expect(await typeOf({ message: 'just words' })).toBeNull();
      },
    },
    {
      title: 'extras are kept as they were sent',
      covers: ['errors.post.extras', 'errors.post.level', 'limits.truncated.empty', 'group.report.fields'],
      async run(context) {
        const sent = {
          type: 'TypeError',
          timestamp: '2026-11-20T09:00:00.000Z',
          event_id: eventId,
          debug_ids: { 'https://shop.example/app.js': '85314830-023f-4cf1-a267-535f4e37bb17' },
          user: { id: 'u-1' },
          sdk: { name: 'contract', version: '1.0.0' },
          level: 'warning',
        };
        expect(await context.storedReport(sent)).toMatchObject({ ...sent, truncated: {} });
        expect((await context.storedReport({ message: 'no level' })).level).toBe('error');
        for (const level of ['error', 'warning', 'info'])
          expect((await context.storedReport({ message: level, level })).level).toBe(level);
      },
    },
    {
      title: 'an unreadable extra is dropped and named',
      covers: ['errors.post.extras_dropped', 'limits.truncated'],
      async run(context) {
        const rows: [field: string, value: unknown][] = [
          ['type', 5],
          ['timestamp', 'yesterday'],
          ['timestamp', 1_700_000_000],
          ['event_id', 'no-uuid'],
          ['event_id', 7],
          ['debug_ids', ['a']],
          ['debug_ids', 'a'],
          ['user', 'u-1'],
          ['user', { id: 5 }],
          ['user', {}],
          ['sdk', 'contract'],
          ['sdk', { name: 'contract' }],
          ['level', 'fatal'],
          ['level', 3],
        ];
        for (const [index, [field, value]] of rows.entries()) {
          const kept = await context.storedReport({ message: `Row ${'abcdefghijklmnop'[index]}`, [field]: value });
          expect([field, value, kept.truncated]).toEqual([field, value, { [field]: 'dropped' }]);
          expect([field, kept[field]]).toEqual([
            field,
            field === 'level' ? 'error' : field === 'debug_ids' ? {} : null,
          ]);
        }
      },
    },
    {
      title: 'a wrong type of a specified field is refused',
      covers: ['errors.post.wrong_type', 'problem.validation_failed'],
      async run(context) {
        const rows: [field: string, values: unknown[]][] = [
          ...['message', 'stacktrace', 'environment', 'release', 'url', 'user_agent'].map(
            (field): [string, unknown[]] => [field, [5, true, [], {}]],
          ),
          ['metadata', ['text', 5, true, []]],
          ['breadcrumbs', ['text', 5, true, {}]],
        ];
        for (const [field, values] of rows)
          for (const value of values) {
            const { status, body } = await context.report({ stacktrace, [field]: value });
            expect([field, value, status]).toEqual([field, value, 422]);
            expect(body.errors.map(({ path }: Json) => path)).toContain(field);
          }
      },
    },
    {
      title: 'unknown fields are ignored',
      covers: ['conv.unknown.report'],
      async run(context) {
        const kept = await context.storedReport({
          message: 'x',
          colour: 'red',
          nested: { deep: [1] },
          success: false,
          id: 7,
        });
        expect(kept).not.toHaveProperty('colour');
        expect(kept.truncated).toEqual({});
      },
    },
    {
      title: 'malformed entries are dropped, the rest stays',
      covers: ['errors.post.malformed_entries'],
      async run(context) {
        const good = {
          timestamp: '2026-11-20T09:00:00.000Z',
          type: 'navigation',
          category: 'history',
          data: { to: '/' },
        };
        const kept = await context.storedReport({
          breadcrumbs: [5, good, null, 'text', [], good],
          metadata: { cart: 3 },
        });
        expect(kept.breadcrumbs).toEqual([good, good]);
        expect(kept.metadata).toEqual({ cart: 3 });
        expect(kept.truncated).toEqual({ breadcrumbs: 6 });
      },
    },
    {
      title: 'any Unicode comes back equal',
      covers: ['errors.post.utf8', 'errors.post.proto', 'group.report.fields'],
      async run(context) {
        const text = 'Größe 🙂 日本 \u0000 \u202e ‮ \u2028 👩‍👩‍👧 "quoted" \\ </script>';
        const sent = {
          message: text,
          environment: 'pröd 🙂',
          release: '1.0 🙂',
          url: 'https://shop.example/größe?q=🙂',
          user_agent: text,
          metadata: { [text]: text, list: [1, null, true, { a: text }] },
          breadcrumbs: [{ timestamp: '2026-11-20T09:00:00.000Z', type: text, category: text, data: { [text]: text } }],
        };
        const kept = await context.storedReport(sent);
        expect(kept).toMatchObject(sent);
        expect(kept.truncated).toEqual({});
      },
    },
    {
      title: 'keys such as __proto__ are data',
      covers: ['errors.post.proto'],
      async run(context) {
        const metadata = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":"x"}';
        const answer = await context.call('POST', 'errors', {
          token: null,
          body: `{"project_api_key":"${await context.fixture('key')}","message":"x","metadata":${metadata},"__proto__":{"message":5}}`,
        });
        expect(answer.status).toBe(200);
        const { latest_report: kept } = await context.send(200, 'GET', `errors/${answer.body.error_group_id}`);
        expect(JSON.stringify(kept.metadata)).toBe(metadata);
        expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
      },
    },
    {
      title: 'a lone surrogate becomes U+FFFD',
      covers: ['errors.post.surrogates'],
      async run(context) {
        const key = await context.fixture('key');
        const { body } = await context.call('POST', 'errors', {
          token: null,
          body: `{"project_api_key":"${key}","message":"a\\ud83dz","release":"\\ude42r","metadata":{"k\\ud83d":"v\\ude00"}}`,
        });
        const { latest_report: kept } = await context.send(200, 'GET', `errors/${body.error_group_id}`);
        expect(kept).toMatchObject({ message: 'a\ufffdz', release: '\ufffdr', metadata: { 'k\ufffd': 'v\ufffd' } });
      },
    },
    {
      title: 'without user_agent that of a browser is taken, of a program none',
      covers: ['errors.post.user_agent'],
      async run(context) {
        const headers = { 'user-agent': 'Contract/1.0', origin: 'http://localhost:3000' };
        expect((await context.storedReport({}, { headers })).user_agent).toBe('Contract/1.0');
        expect((await context.storedReport({ user_agent: 'Own/2.0' }, { headers })).user_agent).toBe('Own/2.0');
        expect((await context.storedReport({}, { headers: { 'user-agent': 'Contract/1.0' } })).user_agent).toBeNull();
      },
    },
    {
      title: 'times of a group are those of receipt, whatever the report says',
      covers: ['errors.post.receipt'],
      async run(context) {
        const before = Date.now() - 1;
        for (const timestamp of ['2001-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z'])
          await context.createReport({ timestamp });
        const group = await context.send(200, 'GET', `errors/${(await context.createReport()).error_group_id}`);
        for (const time of [group.first_seen, group.last_seen, group.latest_report.received_at]) {
          expect(Date.parse(time)).toBeGreaterThanOrEqual(before);
          expect(Date.parse(time)).toBeLessThanOrEqual(Date.now() + 1);
        }
      },
    },
    {
      title: 'each fault of a report is told before the next one',
      covers: ['errors.post.order', 'quota.last'],
      settings: { errorQuota: 0, corsOrigins: ['https://shop.example'] },
      async run(context) {
        const key = await context.fixture('key');
        const foreign = { origin: 'https://evil.example' };
        const plain = { 'content-type': 'text/plain' };
        const large = ' '.repeat(1024 * 1024);
        const told = [];
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
          told.push(await context.outcome('POST', 'errors', { token: null, body, headers }));
        expect(told).toEqual([
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
      title: 'bodies of reports that can not be read',
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
      title: 'a gzipped report is read',
      covers: ['conv.compression.gzip'],
      async run(context) {
        const body = gzipSync(JSON.stringify({ project_api_key: await context.fixture('key'), message: 'packed 🙂' }));
        for (const encoding of ['gzip', 'GZIP']) {
          const answer = await context.report({}, { body, headers: { 'content-encoding': encoding } });
          expect(answer.status, answer.text).toBe(200);
        }
      },
    },
    {
      title: 'one report of a group is the new one, however many come at once',
      covers: ['errors.post.one_new'],
      async run(context) {
        const answers = await Promise.all(
          Array.from({ length: 40 }, () => context.createReport({ message: 'all at once' })),
        );
        expect(answers.filter(({ is_new_group }) => is_new_group)).toHaveLength(1);
        expect(new Set(answers.map(({ error_group_id }) => error_group_id)).size).toBe(1);
        expect((await context.send(200, 'GET', `errors/${answers[0].error_group_id}`)).count).toBe(40);
      },
    },
    {
      title: 'after a restart a known group is not new',
      covers: ['errors.post.one_new', 'errors.repeat.restart', 'errors.post.durable', 'auth.jwt.restart'],
      targets: ['file', 'program'],
      needsOwnServer: true,
      async run(context) {
        const first = await context.createReport({ event_id: eventId });
        const login = { token: null, body: { email: 'admin@localhost', password: 'correct horse battery' } };
        const { access_token: token } = await context.send(200, 'POST', 'auth/login', login);
        await context.restart();
        expect(await context.createReport({ event_id: eventId })).toEqual(first);
        expect(await context.createReport()).toEqual({ ...first, is_new_group: false });
        expect((await context.send(200, 'GET', `errors/${first.error_group_id}`)).count).toBe(2);
        expect((await context.call('GET', 'projects', { token })).status).toBe(200);
      },
    },
    {
      title: 'a resolved group that gets a report is active again',
      covers: ['errors.post.reopens', 'group.reopened'],
      async run(context) {
        const { error_group_id: id } = await context.createReport();
        await context.send(200, 'PATCH', `errors/${id}/status`, { body: { status: 'resolved' } });
        expect(await context.createReport()).toMatchObject({ error_group_id: id, is_new_group: false });
        const group = await context.send(200, 'GET', `errors/${id}`);
        expect(group).toMatchObject({ status: 'active', reopen_count: 1, count: 2, resolved_at: null });
        expect(Date.parse(group.reopened_at)).toBeGreaterThan(0);
      },
    },
    {
      title: 'a repeat of an event gets the first answer and changes nothing',
      covers: ['errors.repeat.answer', 'errors.repeat.uncounted', 'errors.repeat.no_reopen', 'errors.repeat.project'],
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
      title: 'repeats that come together are one report',
      covers: ['errors.repeat.uncounted', 'errors.repeat.answer'],
      async run(context) {
        const answers = await Promise.all(
          Array.from({ length: 30 }, () => context.createReport({ event_id: eventId })),
        );
        for (const answer of answers) expect(answer).toEqual(answers[0]);
        expect((await context.send(200, 'GET', `errors/${answers[0].error_group_id}`)).count).toBe(1);
      },
    },
    {
      title: 'an event is remembered for a day',
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
