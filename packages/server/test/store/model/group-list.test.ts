import { isDeepStrictEqual } from 'node:util';
import { limits } from '@service/protocol';
import { describe, expect, test, vi } from 'vitest';
import { isThorough } from '../../../../../test/test-utils/depth.ts';
import { randomBelow, type RandomBelow } from '../../../../../test/test-utils/seeded-random.mjs';
import { valueFilters } from '../../../src/store/model/value-filters.ts';
import { GroupList, type GroupListQuery } from '../../../src/store/model/group-list.ts';
import type { Model } from '../../../src/store/model/model.ts';
import type { GroupState } from '../../../src/store/model/group-state.ts';
import { openStore } from '../../../src/store/store.ts';
import { openMemoryDriver } from '../../../src/storage/unstorage/memory.ts';
import { BusyStore } from '../busy-store.ts';
import { RandomSession } from './random-session.ts';

/** Computes a page naively: filters and sorts all groups. */
function plainPage(session: RandomSession, projectIds: readonly number[], query: GroupListQuery): unknown {
  const { model, now } = session;
  const words = (query.search ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const direction = query.order === 'asc' ? 1 : -1;
  const wanted = valueFilters.flatMap((filter) => {
    const value = query[filter.name];
    return value === undefined ? [] : { filter, value };
  });
  const matching = shownGroups(model)
    .filter((group) => projectIds.includes(group.projectId))
    .filter((group) => query.status === undefined || group.status === query.status)
    .filter((group) => wanted.every(({ filter, value }) => group.matches(filter, value)))
    .filter((group) => (query.tag ?? []).every((tag) => filtersOf(group).includes(tag)))
    .filter((group) => words.every((word) => searchTextOf(model, group).includes(word)))
    .toSorted((a, b) => direction * (rank(a, query.sort) - rank(b, query.sort) || a.id - b.id));
  const { page, size } = query;
  return {
    items: matching.slice((page - 1) * size, page * size).map((group) => group.toRecord(now)),
    total: matching.length,
    page,
    size,
    pages: Math.ceil(matching.length / size),
  };
}

/** Returns the groups that are not merged into another one. */
function shownGroups({ groups }: Model): GroupState[] {
  return [...groups.ids()].filter((id) => groups.merged.targetId(id) === id).flatMap((id) => groups.get(id) ?? []);
}

/** A group is found by the texts of each group that is merged into it. */
function searchTextOf({ groups }: Model, { id }: GroupState): string {
  return [id, ...groups.merged.mergedIds(id)].map((each) => groups.own(each)?.searchText()).join('\n');
}

function filtersOf(group: GroupState): string[] {
  return Array.from(group.customTags.entries(), ({ name, value }) => `${name}:${value}`);
}

function rank(group: GroupState, sort: GroupListQuery['sort']): number {
  return { last_seen: group.lastSeenAt, first_seen: group.firstSeenAt, count: group.count, users: group.users }[sort];
}

function randomQuery(random: RandomBelow): GroupListQuery {
  const one = <Value>(...values: Value[]): Value => values[random(values.length)] as Value;
  const search = one(
    '',
    'order',
    'GONE type',
    'größe',
    '価格',
    'cart 7',
    'shop@4.7.0 reference',
    'nowhere',
    'e',
    'src/ .ts',
  );
  return {
    sort: one('last_seen', 'first_seen', 'count', 'users'),
    order: one('asc', 'desc'),
    page: 1 + random(random(3) === 0 ? 40 : 2),
    size: one(1, 7, 50, 100),
    ...(random(3) === 0 && { status: one('active', 'resolved') }),
    ...(random(3) === 0 && { environment: one('production', 'staging', 'preview-3', 'none') }),
    ...(random(3) === 0 && { release: one('shop@4.7.0', 'production', 'shop@3', 'none') }),
    ...(random(3) === 0 && {
      tag: one(['plan:gold'], ['plan:free', 'customer:größe 2'], ['customer:größe 2999'], ['plan:']),
    }),
    ...(random(3) === 0 && { search }),
  };
}

const indexedLists = new WeakMap<Model, GroupList>();

/**
 * Returns a list that uses indexes for projects of any size. Returns the same list for each call, so that its indexes
 * are updated.
 */
function indexedList(model: Model): GroupList {
  const list = indexedLists.get(model) ?? new GroupList(model.groups, -1);
  indexedLists.set(model, list);
  return list;
}

/** Reads random pages. Returns the queries whose result differs from naive filtering and sorting. */
async function wrongPages(session: RandomSession, queries: number): Promise<GroupListQuery[]> {
  const { random, model } = session;
  const wrong: GroupListQuery[] = [];
  // One reads each group, the other one uses indexes.
  const lists = [model.lists, indexedList(model)];
  for (let left = queries; left > 0; left--) {
    const query = randomQuery(random);
    const ids = Array.from(model.tables.projects.values(), ({ id }) => id);
    const projectIds = random(2) === 0 ? ids : ids.slice(0, 1);
    const expected = plainPage(session, projectIds, query);
    for (const list of lists) {
      const page = await list.page(projectIds, query, { now: session.now, owner: 1 });
      if (!isDeepStrictEqual(page, expected)) wrong.push(query);
    }
  }
  return wrong;
}

describe('group list', () => {
  test.each(isThorough ? [1, 2, 3, 4] : [1])(
    'group lists equal naive filtering and sorting while groups change (seed %i)',
    async (seed) => {
      const session = new RandomSession(seed, { groups: 200 });
      for (let round = 0; round < 40; round++) {
        for (let step = session.random(100); step > 0; step--) session.step();
        expect(await wrongPages(session, 5)).toEqual([]);
      }
    },
  );

  test('group lists stay correct after few changes and after more changes than are tracked', async () => {
    const session = new RandomSession(11, { groups: 400, cachedGroups: 50, onlyReports: true });
    for (let step = 0; step < 10_000; step++) session.step();
    expect(await wrongPages(session, 30)).toEqual([]);
    for (const steps of [3, 500, 2_000, 70_000, 1]) {
      for (let step = 0; step < steps; step++) session.step();
      expect(await wrongPages(session, 10)).toEqual([]);
    }
  });
});

test('the pages of an unchanged list contain every group exactly once', async () => {
  const session = new RandomSession(5, { groups: 1_500, onlyReports: true });
  for (let step = 0; step < 6_000; step++) session.step();
  for (const sort of ['last_seen', 'first_seen', 'count', 'users'] as const) {
    const seen: number[] = [];
    for (let page = 1, pages = 1; page <= pages; page++) {
      const list = await session.model.lists.page(
        [1, 2, 3],
        { sort, order: 'desc', page, size: 100 },
        { now: session.now, owner: 1 },
      );
      seen.push(...list.items.map((group) => group.error_group_id));
      ({ pages } = list);
    }
    expect(seen).toHaveLength(shownGroups(session.model).length);
    expect(new Set(seen).size).toBe(seen.length);
  }
});

test('tag facets are the tags of the groups that exist, those of most groups first', async () => {
  const session = new RandomSession(7, { groups: 300 });
  let shown = 0;
  for (let round = 0; round < 10; round++) {
    for (let step = 0; step < 300; step++) session.step();
    const { model } = session;
    const projectIds = Array.from(model.tables.projects.values(), ({ id }) => id).slice(0, 2);
    const groups = shownGroups(model);
    const filters = groups.filter(({ projectId }) => projectIds.includes(projectId)).flatMap(filtersOf);
    const countOf = (name: string, value: string): number =>
      filters.filter((filter) => filter === `${name}:${value}`).length;

    const facets = await model.lists.tagFacets(projectIds, 1);
    const names = new Set(filters.map((filter) => filter.slice(0, filter.indexOf(':'))));
    expect(facets.map(({ name }) => name).toSorted()).toEqual([...names].toSorted());
    shown += facets.length;
    for (const { name, values } of facets) {
      const counts = values.map((value) => countOf(name, value));
      expect(Math.min(...counts)).toBeGreaterThan(0);
      expect(counts).toEqual(counts.toSorted((a, b) => b - a));
      const distinct = new Set(filters.filter((filter) => filter.startsWith(`${name}:`)));
      expect(values.length).toBe(Math.min(distinct.size, limits.facetTagValues));
    }
  }
  expect(shown).toBeGreaterThan(10);
});

test('a list of a small project builds no index of the groups of others', async () => {
  const busy = await BusyStore.open(openMemoryDriver(), randomBelow(1));
  const [large, small] = [await busy.addProject(), await busy.addProject()];
  await Promise.all(Array.from({ length: 600 }, (_, kind) => busy.report(large, kind)));
  for (const kind of [7, 8]) await busy.report(small, kind);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const query = { search: 'kind 7', sort: 'count', order: 'desc', page: 1, size: 10 } as const;
    const { lists } = busy.store.model;
    const list = await lists.page([small], query, { now: busy.now, owner: 1 });
    expect(list.items.map(({ message }) => message)).toEqual(['Kind 7']);
    // An index is dropped by a timer.
    expect(vi.getTimerCount()).toBe(0);
    expect((await lists.page([large, small], query, { now: busy.now, owner: 1 })).total).toBeGreaterThan(2);
    expect(vi.getTimerCount()).toBe(1);
  } finally {
    vi.useRealTimers();
    await busy.store.close();
  }
});

test('a closed store has no timer that keeps its groups in memory', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const options = { retentionReports: 1, retentionDays: 90, now: Date.now, warn: () => undefined };
    const store = await openStore(openMemoryDriver(), options);
    await store.model.lists.tagFacets([], 1);
    expect(vi.getTimerCount()).toBe(1);
    await store.close();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
