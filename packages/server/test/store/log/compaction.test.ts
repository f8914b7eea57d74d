import { cp, open as openFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { isThorough } from '../../../../../test/test-utils/depth.ts';
import { randomBelow } from '../../../../../test/test-utils/seeded-random.mjs';
import type { StorageDriver } from '../../../src/store/log/storage-driver.ts';
import { FileBlobs } from '../../../src/storage/file/file-blobs.ts';
import { FileLog } from '../../../src/storage/file/file-log.ts';
import { openFileDriver } from '../../../src/storage/file/file.ts';
import { machineFiles, type Files } from '../../../src/storage/file/files.ts';
import type { Model } from '../../../src/store/model/model.ts';
import { storageNames, storages } from '../../storage/storages.ts';
import { cleanUp, temporaryFolder } from '../../test-utils/describe-service.ts';
import { BusyStore, visibleState } from '../busy-store.ts';
import { stopRedisServers } from '../../storage/redis-server.ts';
import { StoppingFiles } from '../../storage/stopping-files.ts';

afterEach(async () => {
  await stopRedisServers();
  await cleanUp();
});

/** A short run tests only the file driver. `fs-lite` works like `fs`, and `memory` is empty after a reopen. */
const kinds = storageNames().filter((name) => (isThorough ? name !== 'memory' && name !== 'fs-lite' : name === 'file'));

describe.each(kinds)('compaction on %s', (name) => {
  test.each(isThorough ? [7, 8, 9] : [7])(
    'a compaction during random changes keeps the state, also after a restart (seed %i)',
    async (seed) => {
      const open = await storages[name]();
      const busy = await BusyStore.open(await open(), randomBelow(seed));
      for (let round = 0; round < 2; round++) {
        for (let step = 0; step < 150; step++) await busy.step();
        const before = await visibleState(busy);
        if (busy.random(2)) await busy.store.compact();
        expect(await visibleState(busy)).toEqual(before);
        // Apply changes between the slices of the compaction.
        const progress = { isDone: false };
        const compaction = busy.store.compact().finally(() => (progress.isDone = true));
        for (let step = 0; step < 100 || !progress.isDone; step++) {
          // After 200 steps, wait for the compaction, so that the test stays short on a slow storage.
          if (step < 200) await busy.step();
          else await compaction;
        }
        await compaction;
        for (let step = busy.random(30); step > 0; step--) await busy.step();
        const last = await visibleState(busy);
        await busy.store.close();
        await busy.reopen(await open());
        expect(await visibleState(busy)).toEqual(last);
      }
      expect(busy.warnings).toEqual([]);
      await busy.store.close();
    },
  );

  test('a compacted log does not grow with the number of reports per group', async () => {
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

test('a report can be read during a compaction that moves it, and a missing report is null', async () => {
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
      .reportPointers(group)
      .all()
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

test('a damaged report is logged, not shown, and not copied with a new checksum', async () => {
  const folder = await temporaryFolder();
  const driver = await openFileDriver(folder);
  const busy = await BusyStore.open(driver, randomBelow(4));
  const project = await busy.addProject();
  const group = await busy.report(project, 1);
  await busy.report(project, 1);
  const [pointer] = busy.store.model.groups.reportPointers(group).all();
  if (!pointer) throw new Error('No report is stored.');
  const file = await openFile(join(folder, 'log', '00000001.log'), 'r+');
  await file.write('~', (pointer.position % 2 ** 32) + pointer.offset + 3);
  await file.close();
  expect(await busy.store.readBody(group, pointer.id)).toBeNull();
  expect(busy.warnings.at(-1)).toContain('is not shown');
  await busy.store.compact();
  expect(busy.warnings.at(-1)).toContain('is no longer stored');
  expect(busy.store.model.groups.reportPointers(group).size).toBe(1);
  const state = await visibleState(busy);
  await busy.store.close();
  await busy.reopen(await openFileDriver(folder));
  expect(await visibleState(busy)).toEqual(state);
  await busy.store.close();
});

test('the store does not open if the beginning of the log is missing', async () => {
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

/** Counts the reports of all groups. */
function countReports({ groups }: Model): number {
  return Array.from(groups.ids(), (id) => groups.get(id)?.count ?? 0).reduce((sum, count) => sum + count, 0);
}

describe('killed compaction', () => {
  /** Returns a file driver without a lock, because a killed process holds none. */
  function driverOn(folder: string, files: Files): StorageDriver {
    const log = new FileLog(join(folder, 'log'), files);
    const blobs = new FileBlobs(join(folder, 'blobs'), files);
    return { name: 'file', durability: '', log, blobs, close: () => log.close() };
  }

  /**
   * Creates a data folder with some history and closes its store. Resolves with the folder, its visible state, a
   * project and the time.
   */
  async function createUsedFolder() {
    const folder = await temporaryFolder();
    const busy = await BusyStore.open(await openFileDriver(folder), randomBelow(3));
    for (let step = 0; step < 120; step++) await busy.step();
    await busy.store.compact();
    for (let step = 0; step < 60; step++) await busy.step();
    const project = [...busy.store.model.tables.projects.values()][0]?.id ?? 0;
    const state = await visibleState(busy);
    await busy.store.close();
    return { folder, state, project, now: busy.now };
  }

  async function copyOf(folder: string): Promise<string> {
    const copy = await temporaryFolder();
    await cp(folder, copy, { recursive: true });
    return copy;
  }

  test.each(['before', 'in the middle of', 'right after'] as const)(
    'a kill %s any write of a compaction keeps the state',
    async (when) => {
      const { folder, state, now } = await createUsedFolder();
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
        expect(await visibleState(busy)).toEqual(state);
        // The next compaction completes the interrupted one.
        await busy.store.compact();
        expect(await visibleState(busy)).toEqual(state);
        await busy.store.close();
        changes = stopAt;
      }
      expect(changes).toBeGreaterThan(8);
    },
  );

  test('a kill during a compaction loses no acknowledged report', async () => {
    const { folder, project, now } = await createUsedFolder();
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
      const before = countReports(model);
      let acknowledged = 0;
      for (let count = 0; count < 12; count++) {
        try {
          await busy.report(project, count % 5);
          acknowledged++;
        } catch {
          // The outcome of this report is unknown.
          break;
        }
      }
      isStopped = await compaction;
      isStopped ||= files.isStopped;
      await busy.store.close();
      await busy.reopen(driverOn(copy, machineFiles));
      const unknown = acknowledged < 12 ? 1 : 0;
      expect(countReports(busy.store.model) - before).toBeGreaterThanOrEqual(acknowledged);
      expect(countReports(busy.store.model) - before).toBeLessThanOrEqual(acknowledged + unknown);
      const state = await visibleState(busy);
      expect(JSON.stringify(state)).not.toContain('"report":"null"');
      await busy.store.compact();
      expect(await visibleState(busy)).toEqual(state);
      await busy.store.close();
    }
  });
});
