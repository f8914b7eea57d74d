import { expect } from 'vitest';
import type { Json } from '../api-call.ts';
import type { TestContext } from '../context.ts';
import { setStatus } from '../set-status.ts';
import { withStreamReader } from '../stream-reader.ts';
import type { Suite } from '../suite.ts';

/** Reports one of two bugs, which have different messages and therefore different groups. */
async function reportBug(context: TestContext, bug: 'cart' | 'search', user: string): Promise<number> {
  const message = bug === 'cart' ? 'The cart is gone' : 'No search index';
  return (await context.createReport({ message, user: { id: user }, release: bug })).error_group_id;
}

function merge(context: TestContext, into: number, ...group_ids: number[]): Promise<Json> {
  return context.send(200, 'POST', `errors/${into}/merge`, { body: { group_ids } });
}

function unmerge(context: TestContext, from: number, ...group_ids: number[]): Promise<Json> {
  return context.send(200, 'POST', `errors/${from}/unmerge`, { body: { group_ids } });
}

async function listedIds(context: TestContext, query = ''): Promise<number[]> {
  const path = `errors?project_id=${await context.fixture('project')}${query}`;
  return (await context.send(200, 'GET', path)).items.map(({ error_group_id }: Json) => error_group_id);
}

/** Groups that users merge and unmerge. */
export const merges: Suite = {
  name: 'merges',
  tests: [
    {
      title: 'a group shows the sums of the groups that are merged into it',
      covers: ['group.merge.sums'],
      async run(context) {
        const search = await reportBug(context, 'search', 'ann');
        const cart = await reportBug(context, 'cart', 'ann');
        await reportBug(context, 'search', 'bob');
        const older = await context.send(200, 'GET', `errors/${search}`);
        const merged = await merge(context, cart, search);
        expect(merged).toMatchObject({
          error_group_id: cart,
          count: 3,
          users: 2,
          first_seen: older.first_seen,
          last_seen: older.last_seen,
        });
        expect(merged.trend.at(-1) + merged.trend.at(-2)).toBe(3);
        expect(await merge(context, cart, search)).toEqual(merged);
        const details = await context.send(200, 'GET', `errors/${cart}`);
        expect(details).toMatchObject({ ...merged, merged: 1, grouping: expect.any(Object) });
        expect(details.tags.release).toEqual([
          { value: 'search', count: 2 },
          { value: 'cart', count: 1 },
        ]);
        expect((await context.send(200, 'GET', `errors/${cart}/reports`)).total).toBe(3);
        expect(details.latest_report).toMatchObject({ error_group_id: cart, user: { id: 'bob' } });
        for (const query of ['', '&sort=users', '&sort=count', '&release=search', '&search=index', '&status=active'])
          expect(await listedIds(context, query)).toEqual([cart]);
        const { items } = await context.send(200, 'GET', `errors/${cart}/merged`);
        expect(items).toEqual([
          expect.objectContaining({
            error_group_id: search,
            count: 2,
            users: 2,
            merged_at: expect.stringMatching(/Z$/),
          }),
        ]);
      },
    },
    {
      title: 'a report of a merged group counts in its target and reopens it',
      covers: ['group.merge.reports'],
      async run(context) {
        const search = await reportBug(context, 'search', 'ann');
        const cart = await reportBug(context, 'cart', 'ann');
        await merge(context, cart, search);
        const { fingerprint } = await setStatus(context, cart, 'resolved');
        const event_id = crypto.randomUUID();
        const report = { message: 'No search index', event_id };
        const accepted = await context.createReport(report);
        expect(accepted).toMatchObject({ error_group_id: cart, fingerprint, is_new_group: false });
        expect(await context.createReport(report)).toEqual(accepted);
        expect(await context.send(200, 'GET', `errors/${cart}`)).toMatchObject({
          status: 'active',
          count: 3,
          reopen_count: 1,
        });
      },
    },
    {
      title: 'the id of a merged group leads to its target, and does not delete it',
      covers: ['group.merge.leads'],
      async run(context) {
        const search = await reportBug(context, 'search', 'ann');
        const cart = await reportBug(context, 'cart', 'ann');
        await merge(context, cart, search);
        expect((await context.send(200, 'GET', `errors/${search}`)).error_group_id).toBe(cart);
        expect(await setStatus(context, search, 'resolved')).toMatchObject({ error_group_id: cart });
        expect(await context.outcome('DELETE', `errors/${search}`)).toBe('conflict');
        await context.send(204, 'DELETE', `errors/${cart}`);
        for (const id of [cart, search]) expect(await context.outcome('GET', `errors/${id}`)).toBe('group_not_found');
        expect(await reportBug(context, 'search', 'ann')).toBeGreaterThan(cart);
      },
    },
    {
      title: 'only other groups of the same project are merged, each into one group',
      covers: ['group.merge.rejected'],
      async run(context) {
        const search = await reportBug(context, 'search', 'ann');
        const cart = await reportBug(context, 'cart', 'ann');
        const { error_group_id: third } = await context.createReport({ message: 'A third one' });
        const outcome = (id: number, group_ids: unknown): Promise<unknown> =>
          context.outcome('POST', `errors/${id}/merge`, { body: { group_ids } });
        expect(await outcome(cart, [cart])).toBe('validation_failed');
        for (const ids of [[], ['7'], [0], null, 'all', Array.from({ length: 51 }, (_, n) => n + 1)])
          expect(await outcome(cart, ids)).toBe('validation_failed');
        const other = await context.createProject('Other shop');
        const { error_group_id: foreign } = await context.createReport({ project_api_key: other.api_key });
        expect(await outcome(cart, [search, foreign])).toBe('validation_failed');
        expect(await outcome(cart, [search, 2 ** 40])).toBe('group_not_found');
        await merge(context, cart, search);
        expect(await outcome(third, [search])).toBe('conflict');
        expect(await context.outcome('POST', `errors/${third}/unmerge`, { body: { group_ids: [search] } })).toBe(
          'conflict',
        );
        expect(await listedIds(context)).toEqual([third, cart]);
      },
    },
    {
      title: 'an unmerged group has exactly its own reports again',
      covers: ['group.unmerge'],
      async run(context) {
        const search = await reportBug(context, 'search', 'ann');
        const cart = await reportBug(context, 'cart', 'bob');
        const before = await context.send(200, 'GET', `errors/${search}`);
        await merge(context, cart, search);
        expect(await unmerge(context, cart, search)).toMatchObject({ error_group_id: cart, count: 1, users: 1 });
        expect(await context.send(200, 'GET', `errors/${search}`)).toEqual(before);
        await merge(context, cart, search);
        await reportBug(context, 'search', 'eve');
        await unmerge(context, cart, search);
        expect(await unmerge(context, cart, search)).toMatchObject({ count: 1 });
        expect(await context.send(200, 'GET', `errors/${search}`)).toMatchObject({ count: 2, users: 2, merged: 0 });
        expect((await context.send(200, 'GET', `errors/${search}/reports`)).total).toBe(2);
        expect(await reportBug(context, 'search', 'ann')).toBe(search);
        expect(await listedIds(context)).toEqual([search, cart]);
      },
    },
    {
      title: 'groups that may be the same bug are suggested until they are merged',
      covers: ['group.similar'],
      async run(context) {
        const at = (name: string, file = 'cart'): string => `    at ${name} (https://shop.example/src/${file}.js:4:7)`;
        const report = async (message: string, frame: string): Promise<number> => {
          const stacktrace = `Error: ${message}\n${frame}`;
          return (await context.createReport({ message, type: 'Error', stacktrace })).error_group_id;
        };
        const lost = await report('The cart of the visitor is lost', at('readCart'));
        const reworded = await report('The cart of this visitor is lost again', at('readCart'));
        const extracted = await report('The cart of the visitor is lost', at('parseCart'));
        await report('The price of the parcel is unknown', at('readCart'));
        await report('The cart of the visitor is lost', at('openBasket', 'basket'));
        const suggested = async (): Promise<unknown[]> => {
          const { items } = await context.send(200, 'GET', `errors/${lost}/similar`);
          return items.map(({ error_group_id, reason }: Json) => [error_group_id, reason]);
        };
        expect(await suggested()).toEqual([
          [extracted, 'fault'],
          [reworded, 'location'],
        ]);
        await merge(context, lost, extracted);
        expect(await suggested()).toEqual([[reworded, 'location']]);
      },
    },
    {
      title: 'merges outlive a restart',
      covers: ['group.merge.durable'],
      targets: ['file', 'sqlite', 'program'],
      needsOwnServer: true,
      async run(context) {
        const search = await reportBug(context, 'search', 'ann');
        const cart = await reportBug(context, 'cart', 'bob');
        await merge(context, cart, search);
        const merged = await context.send(200, 'GET', `errors/${cart}`);
        await context.restart();
        expect(await context.send(200, 'GET', `errors/${search}`)).toEqual(merged);
        expect(await reportBug(context, 'search', 'ann')).toBe(cart);
        await unmerge(context, cart, search);
        await context.restart();
        expect(await listedIds(context, '&sort=count')).toEqual([search, cart]);
      },
    },
    {
      title: 'a merge and its undoing are published',
      covers: ['stream.group.merged'],
      async run(context) {
        const search = await reportBug(context, 'search', 'ann');
        const cart = await reportBug(context, 'cart', 'bob');
        await withStreamReader(context, async (reader) => {
          const into = await merge(context, cart, search);
          expect(await reader.next('group.merged')).toMatchObject({ error_group_id: search, into });
          const left = await unmerge(context, cart, search);
          const { group } = await reader.next('group.unmerged');
          expect(group).toEqual((await context.send(200, 'GET', `errors?search=index`)).items[0]);
          await reader.waitUntil(
            () => reader.events.some(({ data }) => data.type === 'group.updated' && data.group.count === left.count),
            'the target without the group',
          );
        });
      },
    },
  ],
};
