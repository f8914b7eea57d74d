import { limits } from '@service/protocol';
import { describe, expect, test } from 'vitest';
import { openMemoryDriver } from '../../src/storage/unstorage/memory.ts';
import { turn } from './driven-time.ts';
import { ListeningStore } from './listening-store.ts';

/** With a project of team 2 and one of team 1, on which most tests report. */
async function start(options: { errorQuota?: number } = {}) {
  const here = await ListeningStore.open(openMemoryDriver(), options);
  const foreign = await here.busy.addProject();
  const shop = await here.busy.addProject();
  return {
    here,
    foreign,
    shop,
    report: (kind = 0, project = shop) => here.busy.report(project, kind),
  };
}

const isOf = (type: string) => (told: string) => told.startsWith(type);

describe('a stream', () => {
  test('begins with when to come again, a comment and where it stands', async () => {
    const { here } = await start();
    const reader = here.listen();
    expect(reader.text).toMatch(/^retry: 1000\n: [^\n]+\nid: [\da-f]{8}-2\n\n$/);
  });

  test('is told at once what comes after a pause', async () => {
    const { here, report } = await start();
    const reader = here.listen();
    await report();
    await turn();
    expect(reader.types).toEqual(['group.created', 'usage.updated']);
    await here.pass(5_000);
    await report();
    await turn();
    expect(reader.types.slice(2)).toEqual(['group.updated', 'usage.updated']);
    expect(reader.events[2]?.data).toMatchObject({ group: { count: 2 } });
  });

  test('is told nothing of what came before it', async () => {
    const { here, report } = await start();
    const earlier = here.listen();
    await report(1);
    await turn();
    // This one waits to be told to the earlier reader.
    await report(2);
    await turn();
    const reader = here.listen();
    await here.pass(200);
    expect(earlier.types.filter(isOf('group'))).toEqual(['group.created', 'group.created']);
    expect(reader.types.filter(isOf('group'))).toEqual([]);
    await report(2);
    await here.pass(500);
    expect(reader.types.filter(isOf('group'))).toEqual(['group.updated']);
  });

  test('has a comment every 15 seconds, also while there is much to tell', async () => {
    const { here, report } = await start();
    const reader = here.listen();
    for (let second = 0; second < 60; second++) {
      await report();
      await here.pass(1_000);
    }
    expect(reader.blocks.filter(({ isComment }) => isComment)).toHaveLength(1 + 4);
    const quiet = here.listen();
    const gaps: number[] = [];
    for (let count = quiet.blocks.length, waited = 0; gaps.length < 4; waited += 100) {
      await here.pass(100);
      if (quiet.blocks.length === count) continue;
      gaps.push(waited + 100);
      [count, waited] = [quiet.blocks.length, -100];
    }
    for (const gap of gaps) expect(gap).toBeGreaterThan(13_900);
    for (const gap of gaps) expect(gap).toBeLessThanOrEqual(15_100);
  });

  test('tells of each kind of change, as it stands then', async () => {
    const { here, shop, report } = await start();
    const { store } = here.busy;
    const reader = here.listen();
    const group = await report();
    await here.pass(1_000);
    await here.resolve(group);
    await here.pass(1_000);
    await report();
    await here.pass(1_000);
    await here.resolve(group);
    await here.pass(1_000);
    await here.resolve(group, 'active');
    await here.pass(1_000);
    const removed = await report(1);
    await store.commit((transaction) => {
      const known = transaction.group(removed);
      if (known) transaction.removeGroup(known);
    });
    await here.pass(1_000);
    const record = store.model.tables.projects.get(shop);
    if (!record) throw new Error('It is there.');
    await store.commit((transaction) => transaction.put('projects', { ...record, name: 'Renamed' }));
    await store.commit((transaction) =>
      transaction.put('projects', { ...record, name: 'Renamed', api_key: 'another' }),
    );
    await store.commit((transaction) => transaction.remove('projects', shop));
    const other = await here.busy.addProject();
    const its = await here.busy.addProject();
    await here.pass(1_000);
    const told = reader.events.map(({ data }) => data).filter(({ type }) => type !== 'usage.updated');
    expect(told).toMatchObject([
      { type: 'group.created', project_id: shop, group: { error_group_id: group, status: 'active', count: 1 } },
      { type: 'group.resolved', group: { status: 'resolved' } },
      { type: 'group.reopened', group: { status: 'active', count: 2, reopen_count: 1 } },
      { type: 'group.resolved', group: { status: 'resolved' } },
      { type: 'group.activated', group: { status: 'active' } },
      { type: 'group.created', group: { error_group_id: removed } },
      { type: 'group.deleted', project_id: shop, error_group_id: removed },
      { type: 'project.updated', project: { id: shop, name: 'Renamed' } },
      { type: 'project.updated', project: { id: shop } },
      { type: 'project.deleted', project_id: shop, project: { id: shop, name: 'Renamed' } },
      { type: 'project.created', project_id: its, project: { id: its } },
    ]);
    expect(other).toBeGreaterThan(0);
    expect(reader.text).not.toContain('key');
  });

  test('tells of the whole state written again nothing', async () => {
    const { here, report } = await start();
    await report();
    const reader = here.listen();
    await here.busy.store.compact();
    here.busy.now += 91 * 86_400_000;
    await here.busy.store.compact();
    await here.pass(1_000);
    expect(reader.types.filter((type) => type !== 'usage.updated')).toEqual([]);
  });

  test('is of one team, and of one project if it wants to', async () => {
    const { here, shop, foreign, report } = await start();
    await here.busy.addProject();
    const second = await here.busy.addProject();
    const [all, one, theirs] = [here.listen(), here.listen({ projectId: shop }), here.listen({ teamId: 2 })];
    const own = await report();
    const others = await report(0, foreign);
    const elsewhere = await report(0, second);
    await here.resolve(own);
    await here.resolve(others);
    await here.resolve(elsewhere);
    await here.pass(2_000);
    const groupsOf = (reader: typeof all) =>
      new Set(reader.events.flatMap(({ data }) => ('group' in data ? data.group.error_group_id : [])));
    expect(groupsOf(all)).toEqual(new Set([own, elsewhere]));
    expect(groupsOf(one)).toEqual(new Set([own]));
    expect(groupsOf(theirs)).toEqual(new Set([others]));
    const usageOf = (reader: typeof all) =>
      reader.events.flatMap(({ data }) => ('usage' in data ? data.usage.errors.used : [])).at(-1);
    expect([usageOf(all), usageOf(one), usageOf(theirs)]).toEqual([2, 2, 1]);
  });

  test('of a project ends with that project, and is told so', async () => {
    const { here, shop } = await start();
    const [all, one] = [here.listen(), here.listen({ projectId: shop })];
    await here.busy.store.commit((transaction) => transaction.remove('projects', shop));
    await here.pass(1_000);
    expect([all.types, all.isOver]).toEqual([['project.deleted'], null]);
    expect([one.types, one.isOver]).toEqual([['project.deleted'], 'ended']);
    expect(here.hub.readers).toBe(1);
  });
});

describe('much at once', () => {
  test('5,000 reports a second of one group are at most 5 events a second', async () => {
    const { here, report } = await start();
    const reader = here.listen();
    for (let second = 0; second < 4; second++) {
      const [events, writes] = [reader.events.length, reader.writes.length];
      for (let tick = 0; tick < 100; tick++) {
        await Promise.all(Array.from({ length: 50 }, () => report()));
        await here.pass(10);
      }
      const told = reader.events.slice(events).map(({ data }) => data.type);
      expect(told.filter(isOf('group')).length).toBeLessThanOrEqual(second === 0 ? 5 : 4);
      expect(told.filter(isOf('group')).length).toBeGreaterThanOrEqual(3);
      expect(told.filter(isOf('usage')).length).toBeLessThanOrEqual(1);
      expect(told.length).toBeLessThanOrEqual(5);
      expect(reader.writes.length - writes).toBeLessThanOrEqual(5);
    }
    await here.pass(1_000);
    expect(reader.events.findLast(({ data }) => 'group' in data)?.data).toMatchObject({ group: { count: 20_000 } });
    expect(reader.events.findLast(({ data }) => 'usage' in data)?.data).toMatchObject({
      usage: { errors: { used: 20_000 } },
    });
  });

  test('1,000 busy groups are at most 20 writes a second, of several events each, and each is told of', async () => {
    const { here, report } = await start();
    await Promise.all(Array.from({ length: 1_000 }, (_, kind) => report(kind)));
    const reader = here.listen();
    let kind = 0;
    for (let second = 0; second < 3; second++) {
      const writes = reader.writes.length;
      for (let tick = 0; tick < 100; tick++) {
        await Promise.all(Array.from({ length: 20 }, () => report(kind++ % 1_000)));
        await here.pass(10);
      }
      expect(reader.writes.length - writes).toBeLessThanOrEqual(20);
      expect(reader.writes.length - writes).toBeGreaterThanOrEqual(10);
    }
    await here.pass(1_000);
    const counts = new Map<number, number>();
    for (const { data } of reader.events) if ('group' in data) counts.set(data.group.error_group_id, data.group.count);
    const { groups } = here.busy.store.model;
    expect(counts).toEqual(new Map(Array.from(groups.ids(), (id) => [id, groups.snapshot(id)?.count])));
    expect(reader.events.length / reader.writes.length).toBeGreaterThan(5);
  });

  test('a group is told of at most four times in any second', async () => {
    const { here, report } = await start();
    const reader = here.listen();
    const at: number[] = [];
    for (let tick = 0; tick < 400; tick++) {
      const before = reader.types.filter(isOf('group.updated')).length;
      await report();
      await here.pass(10);
      if (reader.types.filter(isOf('group.updated')).length > before) at.push(tick * 10);
    }
    expect(at.length).toBeGreaterThan(12);
    expect(at.filter((time, index) => index >= 4 && time - (at[index - 4] ?? 0) < 1_000)).toEqual([]);
  });

  test('more than can be told is a reset', async () => {
    const { here, report } = await start();
    const reader = here.listen();
    await Promise.all(Array.from({ length: 8_000 }, (_, kind) => report(kind)));
    await here.pass(10_000);
    expect(reader.types.filter((type) => type === 'reset').length).toBeGreaterThan(0);
    expect(Math.max(...reader.writes.map(({ length }) => length))).toBeLessThan(128 * 1024);
    await report(1);
    await here.pass(1_000);
    expect(reader.types.at(-1)).toMatch(/^(group|usage)/);
  });

  test('a project that goes while there is more than can be told is told of, and ends its streams', async () => {
    const { here, shop, report } = await start();
    const [all, one] = [here.listen(), here.listen({ projectId: shop })];
    await Promise.all(Array.from({ length: 8_000 }, (_, kind) => report(kind)));
    await here.busy.store.commit((transaction) => transaction.remove('projects', shop));
    await here.pass(10_000);
    for (const reader of [all, one]) {
      expect(reader.types).toContain('reset');
      expect(reader.types).toContain('project.deleted');
    }
    expect([all.isOver, one.isOver]).toEqual([null, 'ended']);
  });
});

describe('a reader that takes nothing', () => {
  test('is cut off before more than 256 KiB wait for it, and others go on', async () => {
    const { here, report } = await start();
    const [asleep, awake] = [here.listen(), here.listen()];
    asleep.isAsleep = true;
    for (let kind = 0; asleep.isOver === null && kind < 1_000; kind++) {
      await report(kind);
      await here.pass(60);
    }
    expect(asleep.isOver).toBe('cut');
    expect(asleep.waitingBytes).toBeLessThanOrEqual(limits.streamBacklogBytes);
    expect(asleep.waitingBytes).toBeGreaterThan(limits.streamBacklogBytes / 2);
    expect(here.hub.counts.behind).toBe(1);
    const before = awake.events.length;
    await report();
    await here.pass(1_000);
    expect(awake.events.length).toBeGreaterThan(before);
    expect(awake.isOver).toBeNull();
  });
});

describe('access', () => {
  test.each([
    ['that has ended', 0],
    ['that ends within a second', 900],
  ])('%s ends the stream, with a last word', async (_what, leftMs) => {
    const { here } = await start();
    let endsAt = Infinity;
    const reader = here.listen({ endsAt: () => endsAt });
    await here.pass(20_000);
    expect(reader.types).toEqual([]);
    endsAt = here.busy.now + leftMs;
    await here.pass(1_000);
    expect(reader.events.map(({ data }) => data)).toMatchObject([
      { type: 'reset', project_id: null, reason: 'signed_out' },
    ]);
    expect(reader.isOver).toBe('ended');
    expect(here.hub.readers).toBe(0);
  });

  test('that is taken away ends the stream at once', async () => {
    const { here } = await start();
    const { store } = here.busy;
    const session = { id: 's', user_id: 1, refresh_hash: null, created_at: '', expires_at: '' };
    await store.commit((transaction) => transaction.put('sessions', session));
    const isThere = (): boolean => store.model.tables.sessions.get('s') !== undefined;
    const reader = here.listen({ endsAt: () => (isThere() ? Infinity : 0) });
    const other = here.listen();
    await store.commit((transaction) => transaction.remove('sessions', 's'));
    await turn();
    expect([reader.types, reader.isOver]).toEqual([['reset'], 'ended']);
    expect([other.types, other.isOver]).toEqual([[], null]);
  });
});

describe('seats', () => {
  test('there are 20 for what one session or token is known by, and who leaves makes room', async () => {
    const { here } = await start();
    const readers = Array.from({ length: limits.streamsPerSession }, () => here.listen({ knownBy: 'one' }));
    expect(() => here.listen({ knownBy: 'one' })).toThrow('20 live streams');
    here.listen({ knownBy: 'another' });
    readers[3]?.leave();
    readers[3]?.leave();
    here.listen({ knownBy: 'one' });
    expect(() => here.listen({ knownBy: 'one' })).toThrow('20 live streams');
  });

  test('there are 1,000 in all', async () => {
    const { here } = await start();
    const readers = Array.from({ length: limits.streams }, (_, index) => here.listen({ knownBy: `${index % 100}` }));
    expect(() => here.listen()).toThrow('1000 live streams');
    readers[0]?.leave();
    here.listen();
    expect(here.hub.readers).toBe(1_000);
  });

  test('one that is cut off or ended still has to be left', async () => {
    const { here, shop } = await start();
    const readers = Array.from({ length: 20 }, () => here.listen({ knownBy: 'one', projectId: shop }));
    await here.busy.store.commit((transaction) => transaction.remove('projects', shop));
    await here.pass(100);
    expect(here.hub.readers).toBe(0);
    expect(() => here.listen({ knownBy: 'one' })).toThrow('20 live streams');
    for (const reader of readers) reader.leave();
    here.listen({ knownBy: 'one' });
  });
});

describe('a hub', () => {
  test('does nothing while nobody listens', async () => {
    const { here, report } = await start();
    const { store } = here.busy;
    const followers = { now: 0 };
    const { onCommit } = store;
    store.onCommit = (follower) => {
      followers.now++;
      const leave = onCommit(follower);
      return () => {
        followers.now--;
        leave();
      };
    };
    expect([followers.now, here.time.timers]).toEqual([0, 0]);
    const reader = here.listen();
    expect([followers.now, here.time.timers]).toEqual([1, 1]);
    await report();
    await here.pass(1_000);
    reader.leave();
    expect([followers.now, here.time.timers]).toEqual([0, 0]);
    await report();
    await here.pass(1_000);
    expect(reader.types.filter(isOf('group'))).toEqual(['group.created']);
  });

  test('that is closed ends all streams and takes no more', async () => {
    const { here } = await start();
    const readers = [here.listen(), here.listen({ teamId: 2 })];
    here.hub.close();
    expect(readers.map(({ isOver }) => isOver)).toEqual(['ended', 'ended']);
    expect(here.time.timers).toBe(0);
    expect(() => here.listen()).toThrow('stopping');
  });
});

describe('usage', () => {
  test('is told again when a month has turned', async () => {
    const { here, report } = await start({ errorQuota: 10 });
    const reader = here.listen();
    await report();
    await here.pass(5_000);
    here.busy.now = Date.UTC(2026, 10, 1) - 500;
    await here.pass(3_000);
    expect(reader.events.flatMap(({ data }) => ('usage' in data ? data.usage : []))).toMatchObject([
      { errors: { used: 1, quota: 10 }, period_start: '2026-10-01T00:00:00.000Z' },
      { errors: { used: 0, quota: 10 }, period_start: '2026-11-01T00:00:00.000Z' },
    ]);
  });
});
