import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { mergeGroup } from '../../src/groups/merge-groups.ts';
import { readBackup } from '../../src/store/backup/backup-file.ts';
import { restoreBackup } from '../../src/store/backup/restore-backup.ts';
import type { RestorableDriver } from '../../src/store/log/storage-driver.ts';
import { openUnstorageDriver } from '../../src/storage/unstorage/unstorage.ts';
import { mapDriver } from '../storage/map-driver.ts';
import { StreamedStore } from './streamed-store.ts';
import { View } from './view.ts';

/** Returns a function that opens the same storage again after its server has stopped. */
function persistentStorage(): () => RestorableDriver {
  const items = new Map<string, string>();
  return () => openUnstorageDriver('map', 'all', mapDriver(items));
}

async function start() {
  const open = persistentStorage();
  const env = await StreamedStore.open(open());
  await env.busy.addProject();
  const shop = await env.busy.addProject();
  return { open, env, shop, report: (kind = 0) => env.busy.report(shop, kind) };
}

const typesOf = (subscriber: ReturnType<StreamedStore['subscribe']>) =>
  subscriber.types.filter((type) => type !== 'usage.updated');

describe('Hub resume', () => {
  test('a resumed stream gets the missed events in their order, with the current state of their groups', async () => {
    const { env, shop, report } = await start();
    const known = await report(0);
    const subscriber = env.subscribe();
    await report(0);
    await env.pass(2_000);
    subscriber.cancel();
    const created = await report(1);
    for (let count = 0; count < 5; count++) await report(1);
    await env.resolve(known);
    await report(0);
    await env.pass(30_000);
    const resumed = env.subscribe({ lastEventId: subscriber.lastEventId });
    expect(resumed.events.map(({ data }) => data)).toMatchObject([
      { type: 'group.created', project_id: shop, group: { error_group_id: created, count: 6 } },
      { type: 'group.resolved', group: { error_group_id: known, count: 3 } },
      { type: 'group.reopened', group: { error_group_id: known, count: 3 } },
      { type: 'usage.updated', usage: { errors: { used: 9 } } },
    ]);
    expect(env.subscribe({ lastEventId: resumed.lastEventId }).types).toEqual(['usage.updated']);
  });

  test('an event is not repeated because the update of another group was still due', async () => {
    const { env, report } = await start();
    const known = await report(0);
    const subscriber = env.subscribe();
    await report(0);
    await env.pass(60);
    await report(0);
    const created = await report(1);
    await env.pass(60);
    expect(typesOf(subscriber)).toEqual(['group.updated', 'group.created']);
    subscriber.cancel();
    const resumed = env.subscribe({ lastEventId: subscriber.lastEventId });
    expect(typesOf(resumed)).toEqual(['group.updated', 'group.updated']);
    expect(resumed.events.map(({ data }) => 'group' in data && data.group.error_group_id)).toEqual([
      known,
      created,
      false,
    ]);
  });

  test('a group that was merged while its update was due is not listed again', async () => {
    const { env, report } = await start();
    const target = await report(0);
    const merged = await report(1);
    const subscriber = env.subscribe();
    await report(1);
    await env.pass(60);
    await report(1);
    await env.busy.store.commit((transaction) => {
      const [group, into] = [transaction.group(merged), transaction.group(target)];
      if (group && into) mergeGroup(transaction, group, into);
    });
    await env.pass(1_000);
    const events = subscriber.events.flatMap(({ data }) => ('error_group_id' in data ? [data.type] : []));
    expect(events).toEqual(['group.merged']);
    const updated = subscriber.events.flatMap(({ data }) =>
      data.type === 'group.updated' ? [data.group.error_group_id] : [],
    );
    expect(updated.lastIndexOf(merged)).toBe(0);
  });

  test('a resumed stream misses nothing across a restart, even if it had received no event', async () => {
    const { open, env, report } = await start();
    await report(0);
    const subscriber = env.subscribe();
    await env.restart(open());
    expect(subscriber.isOver).toBe('ended');
    await report(0);
    await report(1);
    await env.restart(open());
    const resumed = env.subscribe({ lastEventId: subscriber.lastEventId });
    expect(typesOf(resumed)).toEqual(['group.created', 'group.updated']);
    await report(0);
    await env.pass(1_000);
    expect(typesOf(resumed)).toEqual(['group.created', 'group.updated', 'group.updated']);
  });

  test('a quiet stream keeps a valid cursor while the log is compacted', async () => {
    const { open, env, report } = await start();
    await report(0);
    const subscriber = env.subscribe();
    await env.busy.store.compact();
    await env.pass(16_000);
    subscriber.cancel();
    await report(0);
    await env.restart(open());
    expect(typesOf(env.subscribe({ lastEventId: subscriber.lastEventId }))).toEqual(['group.updated']);
  });

  test('a cursor from before the start of the log gets a reset', async () => {
    const { open, env, report } = await start();
    await report(0);
    const subscriber = env.subscribe();
    subscriber.cancel();
    await report(0);
    await env.busy.store.compact();
    expect(typesOf(env.subscribe({ lastEventId: subscriber.lastEventId }))).toEqual(['group.updated']);
    await env.restart(open());
    const resumed = env.subscribe({ lastEventId: subscriber.lastEventId });
    expect(resumed.types).toEqual(['reset']);
    await report(0);
    await env.pass(1_000);
    expect(resumed.types).toEqual(['reset', 'group.updated', 'usage.updated']);
    expect(typesOf(env.subscribe({ lastEventId: resumed.lastEventId }))).toEqual([]);
  });

  test.each([
    ['an invalid cursor', () => 'abc'],
    ['a cursor of another storage', (id: string) => `00000000${id.slice(8)}`],
    ['a cursor from the future', (id: string) => `${id}0`],
    ['a cursor with a trailing space', (id: string) => `${id} `],
    ['a cursor without a batch number', (id: string) => `${id.slice(0, 9)}1e1`],
    ['a cursor whose events are older than its updates', (id: string) => `${id}-1`],
    ['a cursor of three parts', (id: string) => `${id}-1-1`],
    ['a cursor whose events are from the future', (id: string) => `${id.replace(/-\d+$/, '')}-1-99999`],
  ])('%s gets a reset', async (_case, idOf) => {
    const { env, report } = await start();
    const subscriber = env.subscribe();
    await report(0);
    await env.pass(1_000);
    const resumed = env.subscribe({ lastEventId: idOf(subscriber.lastEventId ?? '') });
    expect(resumed.types).toEqual(['reset']);
    expect(resumed.text).not.toContain('abc');
  });

  test('a cursor from before a backup was restored gets a reset', async () => {
    const { env, report } = await start();
    const open = persistentStorage();
    await report(0);
    const backup: Buffer[] = [];
    for await (const piece of env.busy.store.backup()) backup.push(piece);
    for (let kind = 0; kind < 20; kind++) await report(kind);
    const subscriber = env.subscribe();
    subscriber.cancel();
    await restoreBackup(open(), readBackup(Readable.from(backup), 'the backup'));
    await env.restart(open());
    // Continue until the old batch number exists in the new history, too.
    for (let kind = 0; kind < 60; kind++) await report(kind);
    const resumed = env.subscribe({ lastEventId: subscriber.lastEventId });
    expect(resumed.types).toEqual(['reset']);
    await env.restart(open());
    expect(typesOf(env.subscribe({ lastEventId: resumed.lastEventId }))).toEqual([]);
  });

  test('a client that missed too many events gets a reset', async () => {
    const { env, report } = await start();
    const subscriber = env.subscribe();
    subscriber.cancel();
    await Promise.all(Array.from({ length: 400 }, (_, kind) => report(kind)));
    expect(env.subscribe({ lastEventId: subscriber.lastEventId }).types).toEqual(['reset']);
  });

  test('a resumed stream of a project gets the events of that project', async () => {
    const { env, shop, report } = await start();
    await env.busy.addProject();
    const other = await env.busy.addProject();
    const subscriber = env.subscribe({ projectId: other });
    subscriber.cancel();
    await report(0);
    await env.busy.report(other, 0);
    await env.busy.report(other, 0);
    expect(typesOf(env.subscribe({ projectId: other, lastEventId: subscriber.lastEventId }))).toEqual([
      'group.created',
    ]);
    expect(typesOf(env.subscribe({ projectId: shop, lastEventId: subscriber.lastEventId }))).toEqual(['group.created']);
    expect(typesOf(env.subscribe({ teamId: 2, lastEventId: subscriber.lastEventId }))).toEqual([]);
  });
});

/** Random changes, broken connections, restarts and compactions. */
test.each(Array.from({ length: 12 }, (_, seed) => seed))(
  'a client that follows the stream always ends with the current state (seed %s)',
  async (seed) => {
    const open = persistentStorage();
    const env = await StreamedStore.open(open(), { seed });
    const { random } = env.busy;
    await env.busy.addProject();
    await env.busy.addProject();
    const views = [new View(env, 1), new View(env, 1), new View(env, 2)];
    for (let step = 0; step < 400; step++) {
      for (let count = random(6); count > 0; count--) await env.busy.step();
      await env.pass(random(3) === 0 ? 0 : random(200));
      if (random(80) === 0) await env.busy.store.compact();
      if (random(80) === 0) await env.restart(open());
      for (const view of views) {
        if (random(3) > 0) view.readUpTo(random(8));
        if (random(20) === 0) view.disconnect();
        if (random(4) === 0) view.connect();
      }
    }
    for (const view of views) view.connect();
    await env.pass(5_000);
    for (const view of views) view.readUpTo(Infinity);
    for (const [index, view] of views.entries()) {
      const actual = new View(env, index < 2 ? 1 : 2);
      actual.readLists();
      expect(view.groups, `groups of ${index}`).toEqual(actual.groups);
      expect(view.projects, `projects of ${index}`).toEqual(actual.projects);
      expect(view.usage, `usage of ${index}`).toEqual(actual.usage);
    }
  },
);
