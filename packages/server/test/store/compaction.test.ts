import { cp, open as openFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { randomBelow } from '../../../../test/test-utils/seeded-random.mjs';
import type { Driver } from '../../src/store/log/driver.ts';
import { FileBlobs } from '../../src/storage/file/file-blobs.ts';
import { FileLog } from '../../src/storage/file/file-log.ts';
import { openFileDriver } from '../../src/storage/file/file.ts';
import { machineFiles, type Files } from '../../src/storage/file/files.ts';
import type { Model } from '../../src/store/model/model.ts';
import { storageNames, storages } from '../storage/storages.ts';
import { cleanUp, temporaryFolder } from '../test-utils/service.ts';
import { BusyStore, seen } from './busy-store.ts';
import { stopRedisServers } from '../storage/redis-server.ts';
import { StoppingFiles } from '../storage/stopping-files.ts';

afterEach(async () => {
  await stopRedisServers();
  await cleanUp();
});

/** One of each kind: what `memory` and `fs-lite` do, others do too. */
const kinds = storageNames().filter((name) => name !== 'memory' && name !== 'fs-lite');

describe.each(kinds)('on %s', (name) => {
  test('whatever happens, a log that is written again says the same, now and after a restart', async () => {
    const open = await storages[name]();
    const busy = await BusyStore.open(await open(), randomBelow(7));
    for (let round = 0; round < 6; round++) {
      for (let step = 0; step < 150; step++) await busy.step();
      const before = await seen(busy);
      if (busy.random(2)) await busy.store.compact();
      expect(await seen(busy)).toEqual(before);
      // Things happen between any two slices.
      const progress = { isDone: false };
      const compaction = busy.store.compact().finally(() => (progress.isDone = true));
      for (let step = 0; step < 100 || !progress.isDone; step++) {
        // A slow storage must not make a long session of it.
        if (step < 200) await busy.step();
        else await compaction;
      }
      await compaction;
      for (let step = busy.random(30); step > 0; step--) await busy.step();
      const last = await seen(busy);
      await busy.store.close();
      await busy.reopen(await open());
      expect(await seen(busy)).toEqual(last);
    }
    expect(busy.warnings).toEqual([]);
    await busy.store.close();
  });

  test('many reports of few errors take no more room than few, once it is written again', async () => {
    const open = await storages[name]();
    const driver = await open();
    const busy = await BusyStore.open(driver, randomBelow(1));
    const project = await busy.addProject();
    const sizes: number[] = [];
    for (let times = 0; times < 2; times++) {
      for (let count = 0; count < 400; count++) {
        busy.now += 300;
        await busy.report(project, count % 10);
      }
      await busy.store.compact();
      sizes.push(driver.log.sizeBytes);
    }
    expect(sizes[1]).toBeLessThan((sizes[0] ?? 0) * 1.1);
    await busy.store.close();
  });
});

test('whoever reads a report while its place is dropped is given it all the same, or told that it is gone', async () => {
  const folder = await temporaryFolder();
  const driver = await openFileDriver(folder);
  const busy = await BusyStore.open(driver, randomBelow(4));
  const project = await busy.addProject();
  for (let count = 0; count < 40; count++) {
    busy.now += 2_000;
    await busy.report(project, count % 8);
  }
  const kept = [...busy.store.model.groups.ids()].flatMap((group) =>
    busy.store.model.groups
      .storedReports(group)
      .pointers()
      .map(({ id }) => ({ group, id })),
  );
  const progress = { isDone: false };
  const compaction = busy.store.compact().finally(() => (progress.isDone = true));
  while (!progress.isDone) {
    const bodies = await Promise.all(kept.map(({ group, id }) => busy.store.readBody(group, id)));
    expect(bodies).not.toContain(null);
  }
  await compaction;
  expect(await busy.store.readBody(kept[0]?.group ?? 0, 9_999)).toBeNull();
  expect(busy.warnings).toEqual([]);
  await busy.store.close();
});

test('a damaged report is told, not shown, and does not come back under a good checksum', async () => {
  const folder = await temporaryFolder();
  const driver = await openFileDriver(folder);
  const busy = await BusyStore.open(driver, randomBelow(4));
  const project = await busy.addProject();
  const group = await busy.report(project, 1);
  await busy.report(project, 1);
  const [place] = busy.store.model.groups.storedReports(group).pointers();
  if (!place) throw new Error('No report is kept.');
  const file = await openFile(join(folder, 'log', '00000001.log'), 'r+');
  await file.write('~', (place.position % 2 ** 32) + place.offset + 3);
  await file.close();
  expect(await busy.store.readBody(group, place.id)).toBeNull();
  expect(busy.warnings.at(-1)).toContain('is not shown');
  await busy.store.compact();
  expect(busy.warnings.at(-1)).toContain('is no longer kept');
  expect(busy.store.model.groups.storedReports(group).size).toBe(1);
  const state = await seen(busy);
  await busy.store.close();
  await busy.reopen(await openFileDriver(folder));
  expect(await seen(busy)).toEqual(state);
  await busy.store.close();
});

test('a log that has lost its beginning stops the start', async () => {
  const folder = await temporaryFolder();
  const busy = await BusyStore.open(await openFileDriver(folder), randomBelow(4));
  await busy.addProject();
  await busy.store.close();
  await busy.reopen(await openFileDriver(folder));
  await busy.addProject();
  await busy.store.close();
  await rm(join(folder, 'log', '00000001.log'));
  await rm(join(folder, 'log', '00000002.log'));
  const driver = await openFileDriver(folder);
  await driver.log.append(3, Buffer.alloc(0));
  await driver.close();
  await expect(openFileDriver(folder).then((opened) => busy.reopen(opened))).rejects.toThrow(
    'from batch 0 to 3: a part is missing',
  );
});

/** Reports of all groups. */
function reportsOf({ groups }: Model): number {
  return Array.from(groups.ids(), (id) => groups.get(id)?.count ?? 0).reduce((sum, count) => sum + count, 0);
}

describe('a kill', () => {
  /** The file driver without its lock: whoever was killed holds none. */
  function driverOn(folder: string, files: Files): Driver {
    const log = new FileLog(join(folder, 'log'), files);
    const blobs = new FileBlobs(join(folder, 'blobs'), files);
    return { name: 'file', promise: '', log, blobs, close: () => log.close() };
  }

  /** A folder with some history, closed, and what is seen of it. */
  async function used() {
    const folder = await temporaryFolder();
    const busy = await BusyStore.open(await openFileDriver(folder), randomBelow(3));
    for (let step = 0; step < 120; step++) await busy.step();
    await busy.store.compact();
    for (let step = 0; step < 60; step++) await busy.step();
    const project = [...busy.store.model.tables.projects.values()][0]?.id ?? 0;
    const state = await seen(busy);
    await busy.store.close();
    return { folder, state, project, now: busy.now };
  }

  async function copyOf(folder: string): Promise<string> {
    const copy = await temporaryFolder();
    await cp(folder, copy, { recursive: true });
    return copy;
  }

  test.each(['before', 'in the middle of', 'right after'] as const)(
    '%s any write of a compaction leaves a log that says the same',
    async (when) => {
      const { folder, state, now } = await used();
      let changes = 0;
      for (let stopAt = 1, isStopped = true; isStopped; stopAt++) {
        const copy = await copyOf(folder);
        const files = new StoppingFiles(when);
        const busy = await BusyStore.open(driverOn(copy, files), randomBelow(stopAt), now);
        files.stopAt(stopAt);
        isStopped = await busy.store.compact().then(
          () => false,
          () => true,
        );
        await busy.store.close();
        expect(isStopped).toBe(files.isStopped);
        await busy.reopen(driverOn(copy, machineFiles));
        expect(await seen(busy)).toEqual(state);
        // What was begun is ended.
        await busy.store.compact();
        expect(await seen(busy)).toEqual(state);
        await busy.store.close();
        changes = stopAt;
      }
      expect(changes).toBeGreaterThan(8);
    },
  );

  test('between reports that come in meanwhile costs none that was answered', async () => {
    const { folder, project, now } = await used();
    for (let stopAt = 1, isStopped = true; isStopped; stopAt++) {
      const copy = await copyOf(folder);
      const files = new StoppingFiles('in the middle of');
      const busy = await BusyStore.open(driverOn(copy, files), randomBelow(stopAt), now);
      files.stopAt(stopAt);
      const compaction = busy.store.compact().then(
        () => false,
        () => true,
      );
      const { model } = busy.store;
      const before = reportsOf(model);
      let answered = 0;
      for (let count = 0; count < 12; count++) {
        try {
          await busy.report(project, count % 5);
          answered++;
        } catch {
          // Killed: what became of this one nobody knows.
          break;
        }
      }
      isStopped = await compaction;
      isStopped ||= files.isStopped;
      await busy.store.close();
      await busy.reopen(driverOn(copy, machineFiles));
      const unknown = answered < 12 ? 1 : 0;
      expect(reportsOf(busy.store.model) - before).toBeGreaterThanOrEqual(answered);
      expect(reportsOf(busy.store.model) - before).toBeLessThanOrEqual(answered + unknown);
      const state = await seen(busy);
      expect(JSON.stringify(state)).not.toContain('"report":"null"');
      await busy.store.compact();
      expect(await seen(busy)).toEqual(state);
      await busy.store.close();
    }
  });
});
