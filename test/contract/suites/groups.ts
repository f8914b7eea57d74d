import { expect } from 'vitest';
import type { Json } from '../api-call.ts';
import { mapForm } from '../source-map-form.ts';
import type { Suite } from '../suite.ts';

const stacktrace =
  'TypeError: total is undefined\n    at checkout (https://shop.example/app.js:1:1)\n    at https://cdn.example/lib.js:7:9';
const sent = {
  message: 'total is undefined',
  stacktrace,
  environment: 'production',
  release: '1.0.0',
  url: 'https://shop.example/cart',
  user_agent:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  metadata: { cart: 3 },
  breadcrumbs: [
    { timestamp: '2026-11-20T09:00:00.000Z', type: 'navigation', category: 'history', data: { to: '/cart' } },
  ],
  type: 'TypeError',
  timestamp: '2026-11-20T09:00:00.000Z',
  event_id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  debug_ids: { 'https://shop.example/app.js': '85314830-023f-4cf1-a267-535f4e37bb17' },
  user: { id: 'u-1' },
  sdk: { name: 'contract', version: '1.0.0' },
  level: 'warning',
  fingerprint: null,
  tags: { tenant: 'acme' },
  device: { viewport: '1280x720', language: 'en-GB', connection: '4g' },
};

/** The details, reports and status of a group. */
export const groups: Suite = {
  name: 'groups',
  tests: [
    {
      title: 'the details of a group contain its list record',
      covers: ['group.details', 'group.tags', 'group.daily', 'group.latest'],
      async run(context) {
        const { error_group_id } = await context.createReport(sent);
        const details = await context.send(200, 'GET', `errors/${error_group_id}`);
        const { items } = await context.send(200, 'GET', `errors?project_id=${await context.fixture('project')}`);
        const { latest_report, tags, other_tags, custom_tags, daily, ai_summary, grouping, merged, ...record } =
          details;
        expect(record).toEqual(items[0]);
        expect([ai_summary, merged]).toEqual([null, 0]);
        expect(custom_tags).toEqual([{ name: 'tenant', values: [{ value: 'acme', count: 1 }], other: 0 }]);
        expect(other_tags).toEqual({ browser: 0, environment: 0, os: 0, release: 0, url: 0 });
        expect(daily).toHaveLength(30);
        expect(Object.keys(tags).toSorted()).toEqual(['browser', 'environment', 'os', 'release', 'url']);
        expect(tags).toMatchObject({
          environment: [{ value: 'production', count: 1 }],
          release: [{ value: '1.0.0', count: 1 }],
          browser: [{ value: expect.stringContaining('Chrome'), count: 1 }],
          os: [{ value: expect.stringContaining('Windows'), count: 1 }],
          url: [{ value: 'https://shop.example/cart', count: 1 }],
        });
        expect(grouping.components.length).toBeGreaterThan(0);
        expect(latest_report).toEqual(
          await context.send(200, 'GET', `errors/${error_group_id}/reports/${latest_report.id}`),
        );
      },
    },
    {
      title: 'tags contain the ten most frequent values',
      covers: ['group.tags'],
      async run(context) {
        for (let index = 0; index < 12; index++) await context.createReport({ environment: `e${index}` });
        for (let times = 0; times < 3; times++) await context.createReport({ environment: 'e5' });
        const { error_group_id } = await context.createReport({ environment: 'e7' });
        const { tags } = await context.send(200, 'GET', `errors/${error_group_id}`);
        expect(tags.environment).toHaveLength(10);
        expect(tags.environment.slice(0, 2)).toEqual([
          { value: 'e5', count: 4 },
          { value: 'e7', count: 2 },
        ]);
      },
    },
    {
      title: 'custom tags are counted by name, and what exceeds the limits counts as other',
      covers: ['group.custom_tags'],
      async run(context) {
        const message = 'tagged';
        for (let index = 0; index < 25; index++)
          await context.createReport({ message, tags: { request: `r${index}` } });
        const names = Array.from({ length: 20 }, (_, index) => `tag ${index}`.padEnd(64, '.'));
        const { error_group_id } = await context.createReport({
          message,
          tags: {
            request: 'r3',
            __proto__x: 'a\0b',
            ...Object.fromEntries(names.map((name) => [name, 'x'.repeat(300)])),
          },
        });
        const { custom_tags } = await context.send(200, 'GET', `errors/${error_group_id}`);
        expect(custom_tags.map(({ name }: Json) => name)).toEqual(
          ['request', '__proto__x', ...names.slice(0, 14)].toSorted(),
        );
        const request = custom_tags.find(({ name }: Json) => name === 'request');
        expect(request.values).toHaveLength(20);
        expect([request.values[0], request.other]).toEqual([{ value: 'r3', count: 2 }, 5]);
        expect(custom_tags.find(({ name }: Json) => name === names[0]).values).toEqual([
          { value: `${'x'.repeat(200)}…[truncated]`, count: 1 },
        ]);
      },
    },
    {
      title: 'a stored report has every sent field except the key',
      covers: ['group.report.fields', 'group.report.no_key', 'group.report.frames', 'group.report.unresolved'],
      async run(context) {
        const { error_group_id } = await context.createReport(sent);
        const { latest_report: report } = await context.send(200, 'GET', `errors/${error_group_id}`);
        expect(report).toEqual({
          ...sent,
          id: expect.any(Number),
          error_group_id,
          received_at: expect.stringMatching(/Z$/),
          frames: expect.any(Array),
          causes: [],
          exceptions: null,
          truncated: {},
        });
        expect(report.frames).toHaveLength(2);
        for (const frame of report.frames)
          expect(Object.keys(frame).toSorted()).toEqual([
            'column',
            'context',
            'file',
            'function',
            'in_app',
            'line',
            'raw',
            'resolved',
          ]);
        expect(report.frames[0]).toEqual({
          function: 'checkout',
          file: 'https://shop.example/app.js',
          line: 1,
          column: 1,
          in_app: true,
          resolved: false,
          context: [],
          raw: { function: 'checkout', file: 'https://shop.example/app.js', line: 1, column: 1 },
        });
        expect(report.frames[1]).toMatchObject({
          file: 'https://cdn.example/lib.js',
          line: 7,
          column: 9,
          resolved: false,
        });
        const key = await context.fixture('key');
        for (const path of [`errors/${error_group_id}`, `errors/${error_group_id}/reports`, 'errors?size=100'])
          expect((await context.call('GET', path)).text).not.toContain(key);
        expect((await context.call('GET', `errors/${error_group_id}`)).text).not.toContain('project_api_key');
      },
    },
    {
      title: 'the reports of a group are listed newest first',
      covers: ['group.reports', 'conv.lists.page'],
      async run(context) {
        const { error_group_id } = await context.createReport({ ...sent, event_id: null });
        for (const release of ['2', '3']) await context.createReport({ ...sent, event_id: null, release });
        const list = await context.send(200, 'GET', `errors/${error_group_id}/reports`);
        expect(list).toMatchObject({ total: 3, page: 1, size: 50, pages: 1 });
        expect(list.items.map(({ release }: Json) => release)).toEqual(['3', '2', '1.0.0']);
        expect(list.items[2]).toEqual({
          id: expect.any(Number),
          received_at: expect.any(String),
          message: sent.message,
          release: '1.0.0',
          environment: 'production',
          url: sent.url,
          user: { id: 'u-1' },
        });
        const second = await context.send(200, 'GET', `errors/${error_group_id}/reports?page=2&size=2`);
        expect(second).toEqual({ items: [list.items[2]], total: 3, page: 2, size: 2, pages: 2 });
        expect((await context.send(200, 'GET', `errors/${error_group_id}`)).latest_report.id).toBe(list.items[0].id);
      },
    },
    {
      title: 'a report of another group returns 404',
      covers: ['group.report.other_group', 'problem.report_not_found'],
      async run(context) {
        const { error_group_id } = await context.createReport({ message: 'another bug' });
        expect(
          await context.outcome('GET', `errors/${error_group_id}/reports/${await context.fixture('report')}`),
        ).toBe('report_not_found');
      },
    },
    {
      title: 'a source map resolves the frames of a report',
      covers: ['group.report.resolved', 'group.report.frames'],
      async run(context) {
        await context.send(201, 'POST', `projects/${await context.fixture('project')}/source-maps`, {
          body: mapForm({ release: '1.0.0' }),
        });
        const { frames } = await context.storedReport({ ...sent, debug_ids: null });
        expect(frames[0]).toMatchObject({
          file: 'src/cart.ts',
          line: 1,
          column: 1,
          resolved: true,
          in_app: true,
          context: [{ line: 1, text: 'const total = cart.items;' }],
          raw: { function: 'checkout', file: 'https://shop.example/app.js', line: 1, column: 1 },
        });
        expect(frames[1]).toMatchObject({ resolved: false, context: [] });
      },
    },
    {
      title: 'a group is resolved and activated; setting the same status again changes nothing',
      covers: ['group.status.resolve', 'group.status.activate', 'group.status.same'],
      async run(context) {
        const path = `errors/${await context.fixture('group')}`;
        const set = (status: string): Promise<Json> =>
          context.send(200, 'PATCH', `${path}/status`, { body: { status } });
        const [before] = (await context.send(200, 'GET', `errors?project_id=${await context.fixture('project')}`))
          .items;
        expect(await set('active')).toEqual(before);
        const resolved = await set('resolved');
        expect(resolved).toEqual({ ...before, status: 'resolved', resolved_at: expect.stringMatching(/Z$/) });
        expect(await set('resolved')).toEqual(resolved);
        expect(await context.send(200, 'GET', path)).toMatchObject(resolved);
        const active = await set('active');
        expect(active).toMatchObject({ status: 'active', resolved_at: null, count: before.count });
        expect(await set('active')).toEqual(active);
        expect(await context.send(200, 'GET', path)).toMatchObject(active);
      },
    },
    {
      title: 'an unknown group status returns 422',
      covers: ['group.status.other'],
      steps: [
        ...['open', 'Resolved', '', 'ignored', null, 5, ['resolved']].map((status) => ({
          request: 'PATCH errors/{group}/status',
          body: { status },
          outcome: 'validation_failed' as const,
        })),
        { request: 'GET errors/{group}', outcome: 200, matches: { status: 'active' } },
      ],
    },
    {
      title: 'a group stays active if reports arrive while it is being resolved',
      covers: ['errors.post.reopens', 'group.reopened'],
      async run(context) {
        const id = await context.fixture('group');
        const all = await Promise.all([
          ...Array.from({ length: 10 }, () => context.report()),
          context.call('PATCH', `errors/${id}/status`, { body: { status: 'resolved' } }),
          ...Array.from({ length: 10 }, () => context.report()),
        ]);
        expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
        await context.createReport();
        const group = await context.send(200, 'GET', `errors/${id}`);
        expect(group).toMatchObject({ status: 'active', count: 22, reopen_count: 1 });
      },
    },
    {
      title: 'retention keeps the first and newest reports of a group and exact counts',
      covers: ['group.retention'],
      settings: { retentionReports: 3 },
      controlsClock: true,
      async run(context) {
        const { vi } = await import('vitest');
        let id = 0;
        for (let index = 0; index < 12; index++) {
          vi.setSystemTime(Date.now() + 2_000);
          id = (await context.createReport({ release: `r${index}` })).error_group_id;
        }
        const { items, total } = await context.send(200, 'GET', `errors/${id}/reports`);
        expect(items.map(({ release }: Json) => release)).toEqual(['r11', 'r10', 'r9', 'r2', 'r1', 'r0']);
        expect(total).toBe(6);
        expect((await context.send(200, 'GET', `errors/${id}`)).count).toBe(12);
        // After the first reports, at most one report per second is stored.
        for (let index = 0; index < 5; index++) await context.createReport({ release: `same ${index}` });
        const later = await context.send(200, 'GET', `errors/${id}/reports`);
        expect(later.items.filter(({ release }: Json) => release.startsWith('same')).length).toBeLessThanOrEqual(1);
        expect((await context.send(200, 'GET', `errors/${id}`)).count).toBe(17);
        vi.setSystemTime(Date.now() + 91 * 86_400_000);
        expect((await context.send(200, 'GET', `errors/${id}/reports`)).total).toBe(0);
        const old = await context.send(200, 'GET', `errors/${id}`);
        expect([old.count, old.latest_report]).toEqual([17, null]);
      },
    },
  ],
};
