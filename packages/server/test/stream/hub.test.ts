import { limits } from '@service/protocol';
import { describe, expect, test } from 'vitest';
import { openMemoryDriver } from '../../src/storage/unstorage/memory.ts';
import { nextTurn } from './manual-time.ts';
import { StreamedStore } from './streamed-store.ts';

/** Opens a store with a project of team 2, `foreign`, and one of team 1, to which `report` sends by default. */
async function start(options: { errorQuota?: number } = {}) {
  const env = await StreamedStore.open(openMemoryDriver(), options);
  const foreign = await env.busy.addProject();
  const shop = await env.busy.addProject();
  return {
    env,
    foreign,
    shop,
    report: (kind = 0, project = shop) => env.busy.report(project, kind),
  };
}

const isOfType = (type: string) => (name: string) => name.startsWith(type);

describe('Hub stream', () => {
  test('a stream begins with a retry interval, a comment and a cursor', async () => {
    const { env } = await start();
    const subscriber = env.subscribe();
    expect(subscriber.text).toMatch(/^retry: 1000\n: [^\n]+\nid: [\da-f]{8}-2\n\n$/);
  });

  test('a stream gets the first event after a pause immediately', async () => {
    const { env, report } = await start();
    const subscriber = env.subscribe();
    await report();
    await nextTurn();
    expect(subscriber.types).toEqual(['group.created', 'usage.updated']);
    await env.pass(5_000);
    await report();
    await nextTurn();
    expect(subscriber.types.slice(2)).toEqual(['group.updated', 'usage.updated']);
    expect(subscriber.events[2]?.data).toMatchObject({ group: { count: 2 } });
  });

  test('a stream gets no event of changes before its start', async () => {
    const { env, report } = await start();
    const earlier = env.subscribe();
    await report(1);
    await nextTurn();
    // This change is still pending for the earlier subscriber.
    await report(2);
    await nextTurn();
    const subscriber = env.subscribe();
    await env.pass(200);
    expect(earlier.types.filter(isOfType('group'))).toEqual(['group.created', 'group.created']);
    expect(subscriber.types.filter(isOfType('group'))).toEqual([]);
    await report(2);
    await env.pass(500);
    expect(subscriber.types.filter(isOfType('group'))).toEqual(['group.updated']);
  });

  test('a stream gets a comment every 15 seconds, also while many events are sent', async () => {
    const { env, report } = await start();
    const subscriber = env.subscribe();
    for (let second = 0; second < 60; second++) {
      await report();
      await env.pass(1_000);
    }
    expect(subscriber.blocks.filter(({ isComment }) => isComment)).toHaveLength(1 + 4);
    const quiet = env.subscribe();
    const gaps: number[] = [];
    for (let count = quiet.blocks.length, waited = 0; gaps.length < 4; waited += 100) {
      await env.pass(100);
      if (quiet.blocks.length === count) continue;
      gaps.push(waited + 100);
      [count, waited] = [quiet.blocks.length, -100];
    }
    for (const gap of gaps) expect(gap).toBeGreaterThan(13_900);
    for (const gap of gaps) expect(gap).toBeLessThanOrEqual(15_100);
  });

  test('a stream gets an event for each kind of change, with the current state', async () => {
    const { env, shop, report } = await start();
    const { store } = env.busy;
    const subscriber = env.subscribe();
    const group = await report();
    await env.pass(1_000);
    await env.resolve(group);
    await env.pass(1_000);
    await report();
    await env.pass(1_000);
    await env.resolve(group);
    await env.pass(1_000);
    await env.resolve(group, 'active');
    await env.pass(1_000);
    const removed = await report(1);
    await store.commit((transaction) => {
      const known = transaction.group(removed);
      if (known) transaction.removeGroup(known);
    });
    await env.pass(1_000);
    const record = store.model.tables.projects.get(shop);
    if (!record) throw new Error('The project is missing.');
    await store.commit((transaction) => transaction.put('projects', { ...record, name: 'Renamed' }));
    await store.commit((transaction) =>
      transaction.put('projects', { ...record, name: 'Renamed', api_key: 'another' }),
    );
    await store.commit((transaction) => transaction.remove('projects', shop));
    const other = await env.busy.addProject();
    const its = await env.busy.addProject();
    await env.pass(1_000);
    const events = subscriber.events.map(({ data }) => data).filter(({ type }) => type !== 'usage.updated');
    expect(events).toMatchObject([
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
    expect(subscriber.text).not.toContain('key');
  });

  test('a compaction publishes no events', async () => {
    const { env, report } = await start();
    await report();
    const subscriber = env.subscribe();
    await env.busy.store.compact();
    env.busy.now += 91 * 86_400_000;
    await env.busy.store.compact();
    await env.pass(1_000);
    expect(subscriber.types.filter((type) => type !== 'usage.updated')).toEqual([]);
  });

  test('a stream gets the events of its team, or of the selected project', async () => {
    const { env, shop, foreign, report } = await start();
    await env.busy.addProject();
    const second = await env.busy.addProject();
    const [all, one, theirs] = [env.subscribe(), env.subscribe({ projectId: shop }), env.subscribe({ teamId: 2 })];
    const own = await report();
    const others = await report(0, foreign);
    const elsewhere = await report(0, second);
    await env.resolve(own);
    await env.resolve(others);
    await env.resolve(elsewhere);
    await env.pass(2_000);
    const groupsOf = (subscriber: typeof all) =>
      new Set(subscriber.events.flatMap(({ data }) => ('group' in data ? data.group.error_group_id : [])));
    expect(groupsOf(all)).toEqual(new Set([own, elsewhere]));
    expect(groupsOf(one)).toEqual(new Set([own]));
    expect(groupsOf(theirs)).toEqual(new Set([others]));
    const usageOf = (subscriber: typeof all) =>
      subscriber.events.flatMap(({ data }) => ('usage' in data ? data.usage.errors.used : [])).at(-1);
    expect([usageOf(all), usageOf(one), usageOf(theirs)]).toEqual([2, 2, 1]);
  });

  test('a stream of a project ends after the event that the project was deleted', async () => {
    const { env, shop } = await start();
    const [all, one] = [env.subscribe(), env.subscribe({ projectId: shop })];
    await env.busy.store.commit((transaction) => transaction.remove('projects', shop));
    await env.pass(1_000);
    expect([all.types, all.isOver]).toEqual([['project.deleted'], null]);
    expect([one.types, one.isOver]).toEqual([['project.deleted'], 'ended']);
    expect(env.hub.subscriberCount).toBe(1);
  });
});

describe('Hub under load', () => {
  test('5,000 reports a second of one group publish at most 5 events a second', async () => {
    const { env, report } = await start();
    const subscriber = env.subscribe();
    for (let second = 0; second < 4; second++) {
      const [events, writes] = [subscriber.events.length, subscriber.writes.length];
      for (let tick = 0; tick < 100; tick++) {
        await Promise.all(Array.from({ length: 50 }, () => report()));
        await env.pass(10);
      }
      const published = subscriber.events.slice(events).map(({ data }) => data.type);
      expect(published.filter(isOfType('group')).length).toBeLessThanOrEqual(second === 0 ? 5 : 4);
      expect(published.filter(isOfType('group')).length).toBeGreaterThanOrEqual(3);
      expect(published.filter(isOfType('usage')).length).toBeLessThanOrEqual(1);
      expect(published.length).toBeLessThanOrEqual(5);
      expect(subscriber.writes.length - writes).toBeLessThanOrEqual(5);
    }
    await env.pass(1_000);
    expect(subscriber.events.findLast(({ data }) => 'group' in data)?.data).toMatchObject({ group: { count: 20_000 } });
    expect(subscriber.events.findLast(({ data }) => 'usage' in data)?.data).toMatchObject({
      usage: { errors: { used: 20_000 } },
    });
  });

  test('1,000 busy groups publish all their updates in at most 20 writes a second', async () => {
    const { env, report } = await start();
    await Promise.all(Array.from({ length: 1_000 }, (_, kind) => report(kind)));
    const subscriber = env.subscribe();
    let kind = 0;
    for (let second = 0; second < 3; second++) {
      const writes = subscriber.writes.length;
      for (let tick = 0; tick < 100; tick++) {
        await Promise.all(Array.from({ length: 20 }, () => report(kind++ % 1_000)));
        await env.pass(10);
      }
      expect(subscriber.writes.length - writes).toBeLessThanOrEqual(20);
      expect(subscriber.writes.length - writes).toBeGreaterThanOrEqual(10);
    }
    await env.pass(1_000);
    const counts = new Map<number, number>();
    for (const { data } of subscriber.events)
      if ('group' in data) counts.set(data.group.error_group_id, data.group.count);
    const { groups } = env.busy.store.model;
    expect(counts).toEqual(new Map(Array.from(groups.ids(), (id) => [id, groups.snapshot(id)?.count])));
    expect(subscriber.events.length / subscriber.writes.length).toBeGreaterThan(5);
  });

  test('a group is published at most four times in any second', async () => {
    const { env, report } = await start();
    const subscriber = env.subscribe();
    const at: number[] = [];
    for (let tick = 0; tick < 400; tick++) {
      const before = subscriber.types.filter(isOfType('group.updated')).length;
      await report();
      await env.pass(10);
      if (subscriber.types.filter(isOfType('group.updated')).length > before) at.push(tick * 10);
    }
    expect(at.length).toBeGreaterThan(12);
    expect(at.filter((time, index) => index >= 4 && time - (at[index - 4] ?? 0) < 1_000)).toEqual([]);
  });

  test('a queue that grows too large is replaced by a reset', async () => {
    const { env, report } = await start();
    const subscriber = env.subscribe();
    await Promise.all(Array.from({ length: 8_000 }, (_, kind) => report(kind)));
    await env.pass(10_000);
    expect(subscriber.types.filter((type) => type === 'reset').length).toBeGreaterThan(0);
    expect(Math.max(...subscriber.writes.map(({ length }) => length))).toBeLessThan(128 * 1024);
    await report(1);
    await env.pass(1_000);
    expect(subscriber.types.at(-1)).toMatch(/^(group|usage)/);
  });

  test('a project deleted while the queue is too large is published after the reset and ends its streams', async () => {
    const { env, shop, report } = await start();
    const [all, one] = [env.subscribe(), env.subscribe({ projectId: shop })];
    await Promise.all(Array.from({ length: 8_000 }, (_, kind) => report(kind)));
    await env.busy.store.commit((transaction) => transaction.remove('projects', shop));
    await env.pass(10_000);
    for (const subscriber of [all, one]) {
      expect(subscriber.types).toContain('reset');
      expect(subscriber.types).toContain('project.deleted');
    }
    expect([all.isOver, one.isOver]).toEqual([null, 'ended']);
  });
});

describe('Hub with a slow subscriber', () => {
  test('a subscriber that reads nothing is disconnected before 256 KiB are buffered, and others continue', async () => {
    const { env, report } = await start();
    const [stalled, reading] = [env.subscribe(), env.subscribe()];
    stalled.isStalled = true;
    for (let kind = 0; stalled.isOver === null && kind < 1_000; kind++) {
      await report(kind);
      await env.pass(60);
    }
    expect(stalled.isOver).toBe('disconnected');
    expect(stalled.bufferedBytes).toBeLessThanOrEqual(limits.streamBacklogBytes);
    expect(stalled.bufferedBytes).toBeGreaterThan(limits.streamBacklogBytes / 2);
    expect(env.hub.counts.slowDisconnects).toBe(1);
    const before = reading.events.length;
    await report();
    await env.pass(1_000);
    expect(reading.events.length).toBeGreaterThan(before);
    expect(reading.isOver).toBeNull();
  });
});

describe('Hub access', () => {
  test.each([
    ['access that has ended', 0],
    ['access that ends within a second', 900],
  ])('%s ends the stream with a reset', async (_case, leftMs) => {
    const { env } = await start();
    let endsAt = Infinity;
    const subscriber = env.subscribe({ endsAt: () => endsAt });
    await env.pass(20_000);
    expect(subscriber.types).toEqual([]);
    endsAt = env.busy.now + leftMs;
    await env.pass(1_000);
    expect(subscriber.events.map(({ data }) => data)).toMatchObject([
      { type: 'reset', project_id: null, reason: 'signed_out' },
    ]);
    expect(subscriber.isOver).toBe('ended');
    expect(env.hub.subscriberCount).toBe(0);
  });

  test('revoked access ends the stream immediately', async () => {
    const { env } = await start();
    const { store } = env.busy;
    const session = { id: 's', user_id: 1, refresh_hash: null, created_at: '', expires_at: '' };
    await store.commit((transaction) => transaction.put('sessions', session));
    const isThere = (): boolean => store.model.tables.sessions.get('s') !== undefined;
    const subscriber = env.subscribe({ endsAt: () => (isThere() ? Infinity : 0) });
    const other = env.subscribe();
    await store.commit((transaction) => transaction.remove('sessions', 's'));
    await nextTurn();
    expect([subscriber.types, subscriber.isOver]).toEqual([['reset'], 'ended']);
    expect([other.types, other.isOver]).toEqual([[], null]);
  });
});

describe('Hub limits', () => {
  test('a session or token may open 20 streams, and a cancelled one frees its slot', async () => {
    const { env } = await start();
    const subscribers = Array.from({ length: limits.streamsPerSession }, () => env.subscribe({ limitKey: 'one' }));
    expect(() => env.subscribe({ limitKey: 'one' })).toThrow('20 live streams');
    env.subscribe({ limitKey: 'another' });
    subscribers[3]?.cancel();
    subscribers[3]?.cancel();
    env.subscribe({ limitKey: 'one' });
    expect(() => env.subscribe({ limitKey: 'one' })).toThrow('20 live streams');
  });

  test('a user may open 1,000 streams', async () => {
    const { env } = await start();
    const subscribers = Array.from({ length: limits.streamsPerUser }, (_, index) =>
      env.subscribe({ limitKey: `${index % 100}` }),
    );
    expect(() => env.subscribe()).toThrow('1000 live streams');
    subscribers[0]?.cancel();
    env.subscribe();
    expect(env.hub.subscriberCount).toBe(1_000);
  });

  test('a stream that was disconnected or ended counts until it is cancelled', async () => {
    const { env, shop } = await start();
    const subscribers = Array.from({ length: 20 }, () => env.subscribe({ limitKey: 'one', projectId: shop }));
    await env.busy.store.commit((transaction) => transaction.remove('projects', shop));
    await env.pass(100);
    expect(env.hub.subscriberCount).toBe(0);
    expect(() => env.subscribe({ limitKey: 'one' })).toThrow('20 live streams');
    for (const subscriber of subscribers) subscriber.cancel();
    env.subscribe({ limitKey: 'one' });
  });
});

describe('Hub life cycle', () => {
  test('a hub without subscribers follows nothing and runs no timer', async () => {
    const { env, report } = await start();
    const { store } = env.busy;
    const listeners = { now: 0 };
    const { onCommit } = store;
    store.onCommit = (listener) => {
      listeners.now++;
      const cancel = onCommit(listener);
      return () => {
        listeners.now--;
        cancel();
      };
    };
    expect([listeners.now, env.time.timers]).toEqual([0, 0]);
    const subscriber = env.subscribe();
    expect([listeners.now, env.time.timers]).toEqual([1, 1]);
    await report();
    await env.pass(1_000);
    subscriber.cancel();
    expect([listeners.now, env.time.timers]).toEqual([0, 0]);
    await report();
    await env.pass(1_000);
    expect(subscriber.types.filter(isOfType('group'))).toEqual(['group.created']);
  });

  test('a closed hub ends all streams and rejects new ones', async () => {
    const { env } = await start();
    const subscribers = [env.subscribe(), env.subscribe({ teamId: 2 })];
    env.hub.close();
    expect(subscribers.map(({ isOver }) => isOver)).toEqual(['ended', 'ended']);
    expect(env.time.timers).toBe(0);
    expect(() => env.subscribe()).toThrow('stopping');
  });
});

describe('Hub usage', () => {
  test('usage is published again when a month begins', async () => {
    const { env, report } = await start({ errorQuota: 10 });
    const subscriber = env.subscribe();
    await report();
    await env.pass(5_000);
    env.busy.now = Date.UTC(2026, 10, 1) - 500;
    await env.pass(3_000);
    expect(subscriber.events.flatMap(({ data }) => ('usage' in data ? data.usage : []))).toMatchObject([
      { errors: { used: 1, quota: 10 }, period_start: '2026-10-01T00:00:00.000Z' },
      { errors: { used: 0, quota: 10 }, period_start: '2026-11-01T00:00:00.000Z' },
    ]);
  });
});
