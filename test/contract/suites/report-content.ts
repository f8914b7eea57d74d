import { expect } from 'vitest';
import type { Suite } from '../suite.ts';

const stacktrace = 'TypeError: total is undefined\n    at checkout (https://shop.example/app.js:1:1)';
const eventId = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

/** The stored content of an accepted report. */
export const reportContent: Suite = {
  name: 'report content',
  tests: [
    {
      title: 'the first line of the stack replaces a blank message',
      covers: ['errors.post.first_line', 'errors.post.type'],
      async run(context) {
        for (const message of [undefined, null, '', ' \n'])
          expect((await context.storedReport({ message, stacktrace })).message).toBe('TypeError: total is undefined');
      },
    },
    {
      title: 'the type is the one sent, else the type of the stack, else the prefix of the message',
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
      title: 'the optional extra fields are stored unchanged',
      covers: ['errors.post.extras', 'errors.post.level', 'limits.truncated.empty', 'group.report.fields'],
      async run(context) {
        const sent = {
          type: 'TypeError',
          timestamp: '2026-11-20T09:00:00.000Z',
          event_id: eventId,
          debug_ids: { 'https://shop.example/app.js': '85314830-023f-4cf1-a267-535f4e37bb17' },
          user: { id: 'u-1', name: 'Ada 🙂', email: 'ada@shop.example' },
          fingerprint: ['cart', 'größe 🙂'],
          tags: { tenant: 'acme', empty: '', 'größe 🙂': '</script>' },
          device: { viewport: '1280x720', language: 'en-GB', connection: '4g' },
          sdk: { name: 'contract', version: '1.0.0' },
          level: 'warning',
        };
        expect(await context.storedReport(sent)).toMatchObject({ ...sent, truncated: {} });
        expect((await context.storedReport({ message: 'no level' })).level).toBe('error');
        for (const level of ['fatal', 'error', 'warning', 'info', 'debug'])
          expect((await context.storedReport({ message: level, level })).level).toBe(level);
      },
    },
    {
      title: 'exceptions give the group, the frames and the causes of a report',
      covers: ['errors.post.exceptions'],
      async run(context) {
        const lines = [{ line: 7, text: '    total += row["price"]' }];
        const frame = { function: 'Cart.total', file: '/srv/shop/cart.py', line: 7, column: null };
        const own = { ...frame, module: 'shop.cart', in_app: true, context: lines, variables: { row: '{}' } };
        const exceptions = [
          { type: 'shop.CartError', message: 'no total', relation: null, frames: [own] },
          { type: 'KeyError', message: "'price'", relation: 'cause', frames: [frame] },
        ];
        const stored = await context.storedReport({ message: 'no total', stacktrace, exceptions });
        expect(stored).toMatchObject({ type: 'shop.CartError', exceptions, truncated: {} });
        expect(stored.frames).toEqual([
          {
            ...frame,
            in_app: true,
            resolved: true,
            context: lines,
            raw: frame,
            module: 'shop.cart',
            variables: { row: '{}' },
          },
        ]);
        expect(stored.causes).toMatchObject([{ type: 'KeyError', relation: 'cause', frames: [{ line: 7 }] }]);
        const { culprit } = await context.send(200, 'GET', `errors/${stored.error_group_id}`);
        expect(culprit).toBe('total (shop/cart.py)');
      },
    },
    {
      title: 'the fingerprint that an app sends decides the group',
      covers: ['errors.post.custom_fingerprint'],
      async run(context) {
        const groupOf = async (fields: object): Promise<unknown> => (await context.createReport(fields)).error_group_id;
        const ten = Array.from({ length: 10 }, (_, index) => `${index}`.repeat(200));
        const id = await groupOf({ message: 'Grouped by hand', stacktrace, fingerprint: ten });
        expect(await groupOf({ message: 'Another text', fingerprint: ten })).toBe(id);
        expect(await groupOf({ message: 'Grouped by hand', stacktrace, fingerprint: ten.slice(1) })).not.toBe(id);
        expect(await groupOf({ message: 'Grouped by hand', stacktrace })).not.toBe(id);
        for (const fingerprint of [[...ten, 'a'], [], 'a', ['a', 1]]) {
          const { latest_report: stored } = await context.send(
            200,
            'GET',
            `errors/${await groupOf({ message: 'Grouped by its message', fingerprint })}`,
          );
          expect([stored.fingerprint, stored.truncated]).toEqual([null, { fingerprint: 'dropped' }]);
        }
      },
    },
    {
      title: 'the name and the email of a user are absent from lists',
      covers: ['errors.post.user_details'],
      async run(context) {
        const user = { id: 'u-1', name: 'Ada Lovelace', email: 'ada@shop.example' };
        const { error_group_id } = await context.createReport({ message: 'Ordered', user });
        const reports = await context.send(200, 'GET', `errors/${error_group_id}/reports`);
        expect(reports.items[0].user).toEqual({ id: 'u-1' });
        const stored = await context.send(200, 'GET', `errors/${error_group_id}/reports/${reports.items[0].id}`);
        expect(stored.user).toEqual(user);
      },
    },
    {
      title: 'an unreadable extra field is dropped and named in truncated',
      covers: ['errors.post.extras_dropped', 'limits.truncated'],
      async run(context) {
        const cases: [field: string, value: unknown][] = [
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
          ['level', 'critical'],
          ['level', 3],
          ['tags', ['a']],
          ['tags', 'a'],
          ['device', 'phone'],
          ['device', []],
          ['exceptions', 'KeyError'],
          ['exceptions', [{ type: 7 }]],
        ];
        for (const [index, [field, value]] of cases.entries()) {
          const stored = await context.storedReport({
            message: `Row ${'abcdefghijklmnopqrstuvwxyz'[index]}`,
            [field]: value,
          });
          expect([field, value, stored.truncated]).toEqual([field, value, { [field]: 'dropped' }]);
          expect([field, stored[field]]).toEqual([
            field,
            field === 'level' ? 'error' : field === 'debug_ids' || field === 'tags' ? {} : null,
          ]);
        }
      },
    },
    {
      title: 'unknown fields of a report are ignored',
      covers: ['conv.unknown.report'],
      async run(context) {
        const stored = await context.storedReport({
          message: 'x',
          color: 'red',
          nested: { deep: [1] },
          success: false,
          id: 7,
        });
        expect(stored).not.toHaveProperty('color');
        expect(stored.truncated).toEqual({});
      },
    },
    {
      title: 'malformed breadcrumbs are dropped, valid ones are kept',
      covers: ['errors.post.malformed_entries'],
      async run(context) {
        const good = {
          timestamp: '2026-11-20T09:00:00.000Z',
          type: 'navigation',
          category: 'history',
          data: { to: '/' },
        };
        const stored = await context.storedReport({
          breadcrumbs: [5, good, null, 'text', [], good],
          metadata: { cart: 3 },
        });
        expect(stored.breadcrumbs).toEqual([good, good]);
        expect(stored.metadata).toEqual({ cart: 3 });
        expect(stored.truncated).toEqual({ breadcrumbs: 6 });
      },
    },
    {
      title: 'any Unicode text in a report is stored unchanged',
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
        const stored = await context.storedReport(sent);
        expect(stored).toMatchObject(sent);
        expect(stored.truncated).toEqual({});
      },
    },
    {
      title: 'metadata keys such as __proto__ are stored as data',
      covers: ['errors.post.proto'],
      async run(context) {
        const metadata = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":"x"}';
        const response = await context.call('POST', 'errors', {
          token: null,
          body: `{"project_api_key":"${await context.fixture('key')}","message":"x","metadata":${metadata},"__proto__":{"message":5}}`,
        });
        expect(response.status).toBe(200);
        const { latest_report: stored } = await context.send(200, 'GET', `errors/${response.body.error_group_id}`);
        expect(JSON.stringify(stored.metadata)).toBe(metadata);
        expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
      },
    },
    {
      title: 'a lone surrogate in a report becomes U+FFFD',
      covers: ['errors.post.surrogates'],
      async run(context) {
        const key = await context.fixture('key');
        const { body } = await context.call('POST', 'errors', {
          token: null,
          body: `{"project_api_key":"${key}","message":"a\\ud83dz","release":"\\ude42r","metadata":{"k\\ud83d":"v\\ude00"}}`,
        });
        const { latest_report: stored } = await context.send(200, 'GET', `errors/${body.error_group_id}`);
        expect(stored).toMatchObject({ message: 'a\ufffdz', release: '\ufffdr', metadata: { 'k\ufffd': 'v\ufffd' } });
      },
    },
    {
      title: 'a report without user_agent gets the User-Agent header of a browser, but not of a program',
      covers: ['errors.post.user_agent'],
      async run(context) {
        const headers = { 'user-agent': 'Contract/1.0', origin: 'http://localhost:3000' };
        expect((await context.storedReport({}, { headers })).user_agent).toBe('Contract/1.0');
        expect((await context.storedReport({ user_agent: 'Own/2.0' }, { headers })).user_agent).toBe('Own/2.0');
        expect((await context.storedReport({}, { headers: { 'user-agent': 'Contract/1.0' } })).user_agent).toBeNull();
      },
    },
    {
      title: 'first_seen and last_seen of a group are receipt times, regardless of the timestamp',
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
  ],
};
