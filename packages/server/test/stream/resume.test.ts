import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { readBackup } from '../../src/store/backup/backup-file.ts';
import { restoreBackup } from '../../src/store/backup/restore-backup.ts';
import type { RestorableDriver } from '../../src/store/log/driver.ts';
import { openUnstorageDriver } from '../../src/storage/unstorage/unstorage.ts';
import { mapDriver } from '../storage/map-driver.ts';
import { ListeningStore } from './listening-store.ts';
import { View } from './view.ts';

/** A storage that outlives its server. */
function lasting(): () => RestorableDriver {
  const items = new Map<string, string>();
  return () => openUnstorageDriver('map', 'all', mapDriver(items));
}

async function start() {
  const open = lasting();
  const here = await ListeningStore.open(open());
  await here.busy.addProject();
  const shop = await here.busy.addProject();
  return { open, here, shop, report: (kind = 0) => here.busy.report(shop, kind) };
}

const typesOf = (reader: ReturnType<ListeningStore['listen']>) =>
  reader.types.filter((type) => type !== 'usage.updated');

describe('a reader that comes back', () => {
  test('is told what it has missed: what seldom happens in its order, groups as they stand now', async () => {
    const { here, shop, report } = await start();
    const known = await report(0);
    const reader = here.listen();
    await report(0);
    await here.pass(2_000);
    reader.leave();
    const created = await report(1);
    for (let count = 0; count < 5; count++) await report(1);
    await here.resolve(known);
    await report(0);
    await here.pass(30_000);
    const again = here.listen({ lastEventId: reader.lastEventId });
    expect(again.events.map(({ data }) => data)).toMatchObject([
      { type: 'group.created', project_id: shop, group: { error_group_id: created, count: 6 } },
      { type: 'group.resolved', group: { error_group_id: known, count: 3 } },
      { type: 'group.reopened', group: { error_group_id: known, count: 3 } },
      { type: 'usage.updated', usage: { errors: { used: 9 } } },
    ]);
    expect(here.listen({ lastEventId: again.lastEventId }).types).toEqual(['usage.updated']);
  });

  test('misses nothing over a restart, also if it had not been told anything yet', async () => {
    const { open, here, report } = await start();
    await report(0);
    const reader = here.listen();
    await here.restart(open());
    expect(reader.isOver).toBe('ended');
    await report(0);
    await report(1);
    await here.restart(open());
    const again = here.listen({ lastEventId: reader.lastEventId });
    expect(typesOf(again)).toEqual(['group.created', 'group.updated']);
    await report(0);
    await here.pass(1_000);
    expect(typesOf(again)).toEqual(['group.created', 'group.updated', 'group.updated']);
  });

  test('after a quiet while stands where it stood, however much was written meanwhile', async () => {
    const { open, here, report } = await start();
    await report(0);
    const reader = here.listen();
    await here.busy.store.compact();
    await here.pass(16_000);
    reader.leave();
    await report(0);
    await here.restart(open());
    expect(typesOf(here.listen({ lastEventId: reader.lastEventId }))).toEqual(['group.updated']);
  });

  test('from before the log begins is told to begin anew', async () => {
    const { open, here, report } = await start();
    await report(0);
    const reader = here.listen();
    reader.leave();
    await report(0);
    await here.busy.store.compact();
    expect(typesOf(here.listen({ lastEventId: reader.lastEventId }))).toEqual(['group.updated']);
    await here.restart(open());
    const again = here.listen({ lastEventId: reader.lastEventId });
    expect(again.types).toEqual(['reset']);
    await report(0);
    await here.pass(1_000);
    expect(again.types).toEqual(['reset', 'group.updated', 'usage.updated']);
    expect(typesOf(here.listen({ lastEventId: again.lastEventId }))).toEqual([]);
  });

  test.each([
    ['of nowhere', () => 'abc'],
    ['of another storage', (id: string) => `00000000${id.slice(8)}`],
    ['from the future', (id: string) => `${id}0`],
    ['with more to it', (id: string) => `${id} `],
    ['of no batch', (id: string) => `${id.slice(0, 9)}1e1`],
  ])('%s is told to begin anew', async (_what, idOf) => {
    const { here, report } = await start();
    const reader = here.listen();
    await report(0);
    await here.pass(1_000);
    const again = here.listen({ lastEventId: idOf(reader.lastEventId ?? '') });
    expect(again.types).toEqual(['reset']);
    expect(again.text).not.toContain('abc');
  });

  test('from before a backup was restored, elsewhere, is told to begin anew', async () => {
    const { here, report } = await start();
    const open = lasting();
    await report(0);
    const backup: Buffer[] = [];
    for await (const piece of here.busy.store.backup()) backup.push(piece);
    for (let kind = 0; kind < 20; kind++) await report(kind);
    const reader = here.listen();
    reader.leave();
    await restoreBackup(open(), readBackup(Readable.from(backup), 'the backup'));
    await here.restart(open());
    // Until the batch that the reader knew is one of the new history, too.
    for (let kind = 0; kind < 60; kind++) await report(kind);
    const again = here.listen({ lastEventId: reader.lastEventId });
    expect(again.types).toEqual(['reset']);
    await here.restart(open());
    expect(typesOf(here.listen({ lastEventId: again.lastEventId }))).toEqual([]);
  });

  test('after more than can be told is told to begin anew', async () => {
    const { here, report } = await start();
    const reader = here.listen();
    reader.leave();
    await Promise.all(Array.from({ length: 400 }, (_, kind) => report(kind)));
    expect(here.listen({ lastEventId: reader.lastEventId }).types).toEqual(['reset']);
  });

  test('of one project is told of that project', async () => {
    const { here, shop, report } = await start();
    await here.busy.addProject();
    const other = await here.busy.addProject();
    const reader = here.listen({ projectId: other });
    reader.leave();
    await report(0);
    await here.busy.report(other, 0);
    await here.busy.report(other, 0);
    expect(typesOf(here.listen({ projectId: other, lastEventId: reader.lastEventId }))).toEqual(['group.created']);
    expect(typesOf(here.listen({ projectId: shop, lastEventId: reader.lastEventId }))).toEqual(['group.created']);
    expect(typesOf(here.listen({ teamId: 2, lastEventId: reader.lastEventId }))).toEqual([]);
  });
});

/** Things happen, connections break anywhere, the server is started anew, the log is written anew. */
test.each(Array.from({ length: 12 }, (_, seed) => seed))(
  'whatever happens, a reader sees what is (%s)',
  async (seed) => {
    const open = lasting();
    const here = await ListeningStore.open(open(), { seed });
    const { random } = here.busy;
    await here.busy.addProject();
    await here.busy.addProject();
    const views = [new View(here, 1), new View(here, 1), new View(here, 2)];
    for (let step = 0; step < 400; step++) {
      for (let count = random(6); count > 0; count--) await here.busy.step();
      await here.pass(random(3) === 0 ? 0 : random(200));
      if (random(80) === 0) await here.busy.store.compact();
      if (random(80) === 0) await here.restart(open());
      for (const view of views) {
        if (random(3) > 0) view.readUpTo(random(8));
        if (random(20) === 0) view.disconnect();
        if (random(4) === 0) view.connect();
      }
    }
    for (const view of views) view.connect();
    await here.pass(5_000);
    for (const view of views) view.readUpTo(Infinity);
    for (const [index, view] of views.entries()) {
      const actual = new View(here, index < 2 ? 1 : 2);
      actual.readLists();
      expect(view.groups, `groups of ${index}`).toEqual(actual.groups);
      expect(view.projects, `projects of ${index}`).toEqual(actual.projects);
      expect(view.usage, `usage of ${index}`).toEqual(actual.usage);
    }
  },
);
