import { expect } from 'vitest';
import type { Json } from '../api-call.ts';
import type { TestContext } from '../context.ts';
import { setStatus } from '../set-status.ts';
import type { Suite } from '../suite.ts';

/** Returns the ids of the listed groups, in order. */
async function listIds(context: TestContext, query: string): Promise<number[]> {
  const list = await context.send(
    200,
    'GET',
    `errors?project_id=${await context.fixture('project')}${query && `&${query}`}`,
  );
  expect(list.total).toBe(list.items.length);
  return list.items.map(({ error_group_id }: Json) => error_group_id);
}

async function createReports(context: TestContext, reports: object[]): Promise<number[]> {
  const ids = [];
  for (const report of reports) ids.push((await context.createReport(report)).error_group_id);
  return ids;
}

/** GET /errors. */
export const lists: Suite = {
  name: 'lists',
  tests: [
    {
      title: 'an item of the group list is the group record, field by field',
      covers: ['list.record', 'list.trend', 'list.users', 'conv.times'],
      async run(context) {
        const { error_group_id, fingerprint } = await context.createReport({
          message: 'total is undefined',
          stacktrace: 'TypeError: total is undefined\n    at checkout (https://shop.example/app.js:1:1)',
          environment: 'production',
          release: '1.0.0',
          url: 'https://shop.example/cart',
          user: { id: 'u-1' },
        });
        await context.createReport({
          message: 'total is undefined',
          stacktrace: 'TypeError: total is undefined\n    at checkout (https://shop.example/app.js:1:1)',
          environment: 'staging',
          release: '1.1.0',
          user: { id: 'u-2' },
        });
        const { items } = await context.send(200, 'GET', `errors?project_id=${await context.fixture('project')}`);
        const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        expect(items).toEqual([
          {
            error_group_id,
            project_id: Number(await context.fixture('project')),
            fingerprint,
            status: 'active',
            type: 'TypeError',
            message: 'total is undefined',
            culprit: expect.stringContaining('checkout'),
            level: 'error',
            count: 2,
            users: 2,
            first_seen: time,
            last_seen: time,
            resolved_at: null,
            reopened_at: null,
            reopen_count: 0,
            environments: expect.arrayContaining(['production', 'staging']),
            first_release: '1.0.0',
            last_release: '1.1.0',
            trend: expect.any(Array),
          },
        ]);
        expect(items[0].environments).toHaveLength(2);
        expect(items[0].trend).toHaveLength(24);
        // The two reports may be in different hours.
        expect(items[0].trend.slice(-2)[0] + items[0].trend.slice(-1)[0]).toBe(2);
        expect(items[0].trend.slice(0, -2)).toEqual(Array.from({ length: 22 }, () => 0));
      },
    },
    {
      title: 'the trend starts a new count every hour',
      covers: ['list.trend', 'group.daily'],
      controlsClock: true,
      async run(context) {
        const { vi } = await import('vitest');
        vi.setSystemTime('2026-11-20T09:59:59.000Z');
        const { error_group_id } = await context.createReport();
        await context.createReport();
        vi.setSystemTime('2026-11-20T10:00:01.000Z');
        await context.createReport();
        const now = await context.send(200, 'GET', `errors/${error_group_id}`);
        expect(now.trend.slice(-3)).toEqual([0, 2, 1]);
        expect(now.daily.slice(-2)).toEqual([0, 3]);
        expect(now.daily).toHaveLength(30);
        vi.setSystemTime('2026-11-21T08:59:59.000Z');
        const later = await context.send(200, 'GET', `errors/${error_group_id}`);
        expect([later.trend[0], later.trend[1]]).toEqual([2, 1]);
        expect(later.daily.slice(-2)).toEqual([3, 0]);
        vi.setSystemTime('2026-12-19T12:00:00.000Z');
        expect((await context.send(200, 'GET', `errors/${error_group_id}`)).daily[0]).toBe(3);
        vi.setSystemTime('2026-12-20T12:00:00.000Z');
        const last = await context.send(200, 'GET', `errors/${error_group_id}`);
        expect([last.count, ...new Set(last.daily), ...new Set(last.trend)]).toEqual([3, 0, 0]);
      },
    },
    {
      title: 'a group counts each distinct user once',
      covers: ['list.users'],
      async run(context) {
        const ids = [];
        for (const id of ['a', 'b', 'a', 'c', 'a'])
          ids.push((await context.createReport({ user: { id } })).error_group_id);
        await context.createReport();
        expect((await context.send(200, 'GET', `errors/${ids[0]}`)).users).toBe(3);
        await Promise.all(
          Array.from({ length: 300 }, (_, index) => context.createReport({ user: { id: `user ${index}` } })),
        );
        expect((await context.send(200, 'GET', `errors/${ids[0]}`)).users).toBe(303);
      },
    },
    {
      title: 'project_id filters the group list; without it all projects are listed',
      covers: ['list.project', 'list.all', 'problem.project_not_found'],
      async run(context) {
        const other = await context.createProject('Other');
        const [mine, elsewhere] = await createReports(context, [
          { message: 'mine' },
          { message: 'theirs', project_api_key: other.api_key },
        ]);
        expect(await listIds(context, '')).toEqual([mine]);
        const { items } = await context.send(200, 'GET', 'errors?size=100');
        expect(items.map(({ error_group_id }: Json) => error_group_id)).toEqual(
          expect.arrayContaining([mine, elsewhere]),
        );
        await context.runSteps([
          { request: 'GET errors?project_id=900000000000', outcome: 'project_not_found' },
          ...['abc', '', '0', '-1', '1.5'].map((id) => ({
            request: `GET errors?project_id=${id}`,
            outcome: 'validation_failed' as const,
          })),
        ]);
      },
    },
    {
      title: 'environment and release match exactly any value that a group has had',
      covers: ['list.environment', 'list.release', 'list.total'],
      async run(context) {
        const [a, , b] = await createReports(context, [
          { message: 'first bug', environment: 'production', release: '1.0' },
          { message: 'first bug', environment: 'staging', release: '1.1' },
          { message: 'second bug', environment: 'staging', release: '1.0' },
        ]);
        for (const [query, ids] of [
          ['environment=production', [a]],
          ['environment=staging', [b, a]],
          ['environment=stag', []],
          ['environment=Staging', []],
          ['release=1.0', [b, a]],
          ['release=1.1', [a]],
          ['release=1', []],
          ['environment=production&release=1.1', [a]],
        ] as const)
          expect([query, await listIds(context, `${query}&sort=first_seen`)]).toEqual([query, ids]);
        const { items } = await context.send(
          200,
          'GET',
          `errors?project_id=${await context.fixture('project')}&environment=production`,
        );
        expect(items).toMatchObject([{ count: 2 }]);
      },
    },
    {
      title: 'tags match exactly any tag that a group has had, and several must all match',
      covers: ['list.tag', 'list.tag.malformed'],
      async run(context) {
        const [a, , b] = await createReports(context, [
          { message: 'first bug', tags: { plan: 'gold', 'shop:eu': 'a:b', 'größe 🙂': 'très grand' } },
          { message: 'first bug', tags: { plan: 'free' } },
          { message: 'second bug', tags: { plan: 'free', empty: '', long: 'x'.repeat(300) } },
          { message: 'third bug' },
        ]);
        for (const [tags, ids] of [
          [['plan:gold'], [a]],
          [['plan:free'], [b, a]],
          [['plan:fre'], []],
          [['plan:Free'], []],
          [['Plan:free'], []],
          [['other:free'], []],
          [['plan:free', 'plan:gold'], [a]],
          [['plan:free', 'empty:'], [b]],
          [['plan:gold', 'empty:'], []],
          [['shop:eu:a:b', 'größe 🙂:très grand'], [a]],
          [[`long:${'x'.repeat(200)}…[truncated]`], [b]],
        ] as const) {
          const query = tags.map((tag) => `tag=${encodeURIComponent(tag)}`).join('&');
          expect([tags, await listIds(context, `${query}&sort=first_seen`)]).toEqual([tags, ids]);
        }
        const after = await context.createReport({ message: 'third bug', tags: { plan: 'gold' } });
        expect(await listIds(context, 'tag=plan:gold&sort=first_seen')).toEqual([after.error_group_id, a]);
        await context.send(204, 'DELETE', `errors/${a}`);
        expect(await listIds(context, 'tag=plan:gold&sort=first_seen')).toEqual([after.error_group_id]);
        await context.runSteps(
          ['tag=', 'tag=plan', 'tag=:x', `tag=${'n:'.repeat(150)}`, Array(6).fill('tag=a:b').join('&')].map(
            (query) => ({
              request: `GET errors?${query}`,
              outcome: 'validation_failed' as const,
            }),
          ),
        );
      },
    },
    {
      title: 'status filters the group list',
      covers: ['list.status'],
      async run(context) {
        const [a = 0, b] = await createReports(context, [{ message: 'first bug' }, { message: 'second bug' }]);
        await setStatus(context, a, 'resolved');
        expect(await listIds(context, 'status=active')).toEqual([b]);
        expect(await listIds(context, 'status=resolved')).toEqual([a]);
        await context.runSteps(
          ['open', 'ACTIVE', '', 'active,resolved'].map((status) => ({
            request: `GET errors?status=${status}`,
            outcome: 'validation_failed' as const,
          })),
        );
      },
    },
    {
      title: 'a search matches every word in any searchable field and ignores case',
      covers: ['list.search.case', 'list.search.words', 'list.search.where'],
      async run(context) {
        const [a, b] = await createReports(context, [
          {
            type: 'PaymentError',
            message: 'Card was Declined',
            stacktrace: 'PaymentError: Card was Declined\n    at chargeCard (https://shop.example/pay.js:1:1)',
            release: 'alpha-1',
            url: 'https://shop.example/checkout?step=2',
          },
          { message: 'card is missing', release: 'beta-2' },
        ]);
        await context.createReport({
          type: 'PaymentError',
          message: 'Card was Declined',
          stacktrace: 'PaymentError: Card was Declined\n    at chargeCard (https://shop.example/pay.js:1:1)',
          release: 'omega-3',
          url: 'https://shop.example/Basket',
        });
        for (const [search, ids] of [
          ['declined', [a]],
          ['DECLINED card', [a]],
          ['card', [a, b]],
          ['card nothing', []],
          ['paymenterror', [a]],
          ['chargecard', [a]],
          ['alpha', [a]],
          ['omega-3', [a]],
          ['basket', [a]],
          ['step=2', []],
          ['eclin', [a]],
          ['  card   missing ', [b]],
          ['', [a, b]],
          ['%', []],
          ['.*', []],
        ] as const)
          expect([
            search,
            (await listIds(context, `search=${encodeURIComponent(search)}`)).toSorted((x, y) => x - y),
          ]).toEqual([search, ids]);
      },
    },
    {
      title: 'a search over 200 characters returns 422',
      covers: ['limits.search'],
      steps: [
        { request: `GET errors?search=${'x'.repeat(200)}`, outcome: 200 },
        { request: `GET errors?search=${'x'.repeat(201)}`, outcome: 'validation_failed' },
      ],
    },
    {
      title: 'the group list is sorted as requested, and ties break by id',
      covers: ['list.sort', 'list.ties'],
      controlsClock: true,
      async run(context) {
        const { vi } = await import('vitest');
        const at = async (time: string, message: string, user: string): Promise<number> => {
          vi.setSystemTime(`2026-11-20T${time}.000Z`);
          return (await context.createReport({ message, user: { id: user } })).error_group_id;
        };
        const a = await at('09:00:00', 'bug one', 'u1');
        const b = await at('09:00:00', 'bug two', 'u1');
        const c = await at('09:01:00', 'bug three', 'u1');
        await at('09:02:00', 'bug one', 'u1');
        await at('09:03:00', 'bug three', 'u2');
        await at('09:03:00', 'bug three', 'u3');
        for (const [query, ids] of [
          ['', [c, a, b]],
          ['sort=last_seen', [c, a, b]],
          ['sort=last_seen&order=asc', [b, a, c]],
          ['sort=first_seen', [c, b, a]],
          ['sort=first_seen&order=asc', [a, b, c]],
          ['sort=count', [c, a, b]],
          ['sort=count&order=asc', [b, a, c]],
          ['sort=users', [c, b, a]],
          ['sort=users&order=asc', [a, b, c]],
          ['order=asc', [b, a, c]],
        ] as const)
          expect([query, await listIds(context, query)]).toEqual([query, ids]);
        for (const query of ['sort=id', 'sort=', 'order=up', 'sort=count&sort=users', 'sort=COUNT'])
          expect([query, await context.outcome('GET', `errors?${query}`)]).toEqual([query, 'validation_failed']);
      },
    },
    {
      title: 'lists contain the first 300 characters of a message, details the whole message',
      covers: ['list.message'],
      async run(context) {
        const message = `${'long '.repeat(100)}needle`;
        const { error_group_id } = await context.createReport({ message });
        const { items } = await context.send(200, 'GET', `errors?project_id=${await context.fixture('project')}`);
        expect(items[0].message.slice(0, 300)).toBe(message.slice(0, 300));
        expect(items[0].message.length).toBeLessThanOrEqual(300 + '…[truncated]'.length);
        expect(await listIds(context, 'search=needle')).toEqual([]);
        expect((await context.send(200, 'GET', `errors/${error_group_id}`)).latest_report.message).toBe(message);
      },
    },
    {
      title: 'lists never contain a lone surrogate',
      covers: ['list.message', 'limits.surrogates'],
      async run(context) {
        await context.createReport({ message: `${'m'.repeat(299)}🙂🙂` });
        const { items } = await context.send(200, 'GET', `errors?project_id=${await context.fixture('project')}`);
        expect(items[0].message.isWellFormed()).toBe(true);
        expect(items[0].message).not.toContain('\ufffd');
      },
    },
  ],
};
