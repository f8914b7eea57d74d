import { randomUUID } from 'node:crypto';
import { cp, mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { randomBelow } from '../../../../../test/test-utils/seeded-random.mjs';
import { BackupFileError, readBackup, type BackupPart } from '../../../src/store/backup/backup-file.ts';
import { restoreBackup } from '../../../src/store/backup/restore-backup.ts';
import type { RestorableDriver } from '../../../src/store/log/storage-driver.ts';
import { openFileDriver } from '../../../src/storage/file/file.ts';
import { openUnstorageDriver } from '../../../src/storage/unstorage/unstorage.ts';
import { cleanUp, temporaryFolder } from '../../test-utils/describe-service.ts';
import { BusyStore, visibleState } from '../busy-store.ts';
import { mapDriver } from '../../storage/map-driver.ts';
import { stopRedisServers } from '../../storage/redis-server.ts';
import { storageNames, storages } from '../../storage/storages.ts';
import { isThorough } from '../../../../../test/test-utils/depth.ts';

afterEach(async () => {
  await stopRedisServers();
  await cleanUp();
});

/** A short run tests only the file driver. `fs-lite` works like `fs`, and `memory` is empty after a reopen. */
const kinds = storageNames().filter((name) => (isThorough ? name !== 'memory' && name !== 'fs-lite' : name === 'file'));

async function backUp({ store }: BusyStore, between: () => Promise<unknown> = async () => undefined): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of store.backup()) {
    pieces.push(piece);
    await between();
  }
  return Buffer.concat(pieces);
}

/** Yields pieces that end at any byte, as when a file is read. */
async function* inPieces(bytes: Buffer, size = 1_000): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

function partsOf(bytes: Buffer): AsyncGenerator<BackupPart> {
  return readBackup(inPieces(bytes), 'the backup');
}

async function restore(driver: RestorableDriver, bytes: Buffer): Promise<void> {
  try {
    await restoreBackup(driver, partsOf(bytes));
  } finally {
    await driver.close();
  }
}

async function addMap({ store }: BusyStore, bytes: Buffer): Promise<string> {
  const blob = `map-${randomUUID()}`;
  await store.blobs.put(blob, bytes);
  await store.commit((transaction) => {
    const id = transaction.nextId('source_maps');
    const [project] = transaction.model.tables.projects.values();
    const rest = { release: null, url: null, debug_id: null, size: 1, sources: 1, created_at: '', last_used_at: null };
    transaction.put('source_maps', { id, project_id: project?.id ?? 0, file: 'a.js', ...rest, blob });
  });
  return blob;
}

async function busyOn(driver: RestorableDriver, seed = 5, steps = 200): Promise<BusyStore> {
  const busy = await BusyStore.open(driver, randomBelow(seed));
  for (let step = 0; step < steps; step++) await busy.step();
  return busy;
}

describe.each(kinds)('backup on %s', (name) => {
  test('a backup restored to an empty storage has the same state, and the store accepts changes', async () => {
    const busy = await busyOn(await (await storages[name]())());
    const small = await addMap(busy, Buffer.from('a small map'));
    const large = await addMap(busy, Buffer.alloc(2_500_000, 'abc'));
    const backup = await backUp(busy);
    const before = await visibleState(busy);
    await busy.store.close();

    const open = await storages[name]();
    await restore(await open(), backup);
    const restored = await BusyStore.open(await open(), randomBelow(6), busy.now);
    expect(await visibleState(restored)).toEqual(before);
    expect(Buffer.from((await restored.store.blobs.get(small)) ?? [])).toEqual(Buffer.from('a small map'));
    expect((await restored.store.blobs.get(large))?.length).toBe(2_500_000);
    for (let step = 0; step < 100; step++) await restored.step();
    const later = await visibleState(restored);
    await restored.store.close();
    await restored.reopen(await open());
    expect(await visibleState(restored)).toEqual(later);
    await restored.store.close();
  });

  test('a restore replaces the previous state and its blobs', async () => {
    const busy = await busyOn(await (await storages[name]())(), 3);
    await addMap(busy, Buffer.from('a map'));
    const backup = await backUp(busy);
    const before = await visibleState(busy);
    await busy.store.close();

    const open = await storages[name]();
    const other = await busyOn(await open(), 4, 300);
    const previous = await addMap(other, Buffer.from('another map'));
    await other.store.close();
    const driver = await open();
    expect(await driver.isEmpty()).toBe(false);
    await restore(driver, backup);
    const restored = await BusyStore.open(await open(), randomBelow(6), busy.now);
    expect(await visibleState(restored)).toEqual(before);
    expect(await restored.store.blobs.get(previous)).toBeNull();
    await restored.store.compact();
    expect(await visibleState(restored)).toEqual(before);
    await restored.store.close();
  });

  test('a restore of a truncated backup keeps the previous state', async () => {
    const busy = await busyOn(await (await storages[name]())(), 3);
    await addMap(busy, Buffer.from('a map'));
    const backup = await backUp(busy);
    await busy.store.close();

    const open = await storages[name]();
    const fresh = await open();
    expect(await fresh.isEmpty()).toBe(true);
    const other = await busyOn(fresh, 4);
    const before = await visibleState(other);
    await other.store.close();
    await expect(restore(await open(), backup.subarray(0, backup.length - 10))).rejects.toThrow('cut short');
    await other.reopen(await open());
    expect(await visibleState(other)).toEqual(before);
    expect(await other.store.blobs.names()).toEqual([]);
    await other.store.close();
  });

  test('a killed restore keeps the previous state', async () => {
    const busy = await busyOn(await (await storages[name]())(), 3);
    const backup = await backUp(busy);
    await busy.store.close();
    const open = await storages[name]();
    const other = await busyOn(await open(), 4);
    const before = await visibleState(other);
    await other.store.close();
    const driver = await open();
    let kill = (): void => undefined;
    const killed = new Promise<void>((resolve) => (kill = resolve));
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    async function* untilKilled(): AsyncGenerator<BackupPart> {
      for await (const part of partsOf(backup)) {
        if (part.kind === 'end') break;
        yield part;
      }
      kill();
      // Send nothing more until the end of the test, like a dead process.
      await ended;
      throw new Error('killed');
    }
    const restoring = restoreBackup(driver, untilKilled());
    await killed;
    await driver.close();
    await other.reopen(await open());
    expect(await visibleState(other)).toEqual(before);
    for (let step = 0; step < 20; step++) await other.step();
    await other.store.close();
    // The restore closes its files.
    end();
    await expect(restoring).rejects.toBeInstanceOf(Error);
  });
});

test('a restore to items that is killed at any write leaves the old or the new state', async () => {
  const busy = await busyOn(await (await storages.file())(), 3, 60);
  const backup = await backUp(busy);
  const after = JSON.stringify(await visibleState(busy));
  await busy.store.close();
  const items = new Map<string, string>();
  const open = async (map: Map<string, string>): Promise<RestorableDriver> =>
    openUnstorageDriver('map', 'as long as the test', mapDriver(map));
  const other = await busyOn(await open(items), 4, 40);
  const before = JSON.stringify(await visibleState({ store: other.store, now: busy.now }));
  await other.store.close();
  const moments: Map<string, string>[] = [];
  const watched = new Map(items);
  const driver = mapDriver(watched);
  const observed = openUnstorageDriver('map', '', {
    ...driver,
    setItem(key, value, options) {
      moments.push(new Map(watched), new Map(watched).set(key, value.slice(0, value.length / 2)));
      return driver.setItem?.(key, value, options);
    },
    removeItem(key, options) {
      moments.push(new Map(watched));
      return driver.removeItem?.(key, options);
    },
  });
  await restore(observed, backup);
  expect(moments.length).toBeGreaterThan(20);
  const states: string[] = [];
  for (const moment of [...moments, watched]) {
    const found = await BusyStore.open(await open(moment), randomBelow(1), busy.now);
    states.push(JSON.stringify(await visibleState({ store: found.store, now: busy.now })));
    await found.step();
    await found.store.close();
  }
  const switchedAt = states.indexOf(after);
  expect(switchedAt).toBeGreaterThan(0);
  expect(new Set(states.slice(0, switchedAt))).toEqual(new Set([before]));
  expect(new Set(states.slice(switchedAt))).toEqual(new Set([after]));
});

test('a restore to files that is killed at any rename leaves the old or the new state', async () => {
  const busy = await busyOn(await (await storages.file())(), 3, 60);
  const backup = await backUp(busy);
  const after = await visibleState(busy);
  await busy.store.close();
  const folder = await temporaryFolder();
  const other = await busyOn(await openFileDriver(folder), 4, 40);
  await other.store.close();
  const old = await temporaryFolder();
  await cp(folder, old, { recursive: true });
  await restore(await openFileDriver(folder), backup);
  const restored = async (): Promise<unknown> => {
    const found = await BusyStore.open(await openFileDriver(folder), randomBelow(1), busy.now);
    const state = await visibleState(found);
    await found.store.close();
    return state;
  };
  // The new log is complete. The old one is complete, empty or removed.
  for (const oldLog of ['complete', 'empty', 'removed']) {
    await rename(join(folder, 'log'), join(folder, 'log.replaced'));
    if (oldLog === 'complete') await cp(join(old, 'log'), join(folder, 'log'), { recursive: true });
    if (oldLog === 'empty') await mkdir(join(folder, 'log'));
    expect(await restored()).toEqual(after);
  }
  // An incomplete replacement is ignored.
  await cp(join(old, 'log'), join(folder, 'log.replacing'), { recursive: true });
  expect(await restored()).toEqual(after);
  expect(await readdir(folder)).not.toContain('log.replacing');
});

test.each(isThorough ? [1, 2, 3] : [1])(
  'a backup during changes contains one consistent state (seed %i)',
  async (seed) => {
    const busy = await busyOn(await (await storages.file())(), seed, 100);
    const before = JSON.stringify(await visibleState(busy));
    const maps = [await addMap(busy, Buffer.from('one')), await addMap(busy, Buffer.from('two'))];
    const idsOf = ({ store }: Pick<BusyStore, 'store'>): string => JSON.stringify([...store.model.lastIds]);
    const states: { now: number; ids: string; state: string }[] = [];
    const backup = await backUp(busy, async () => {
      for (let step = 0; step < 3; step++) await busy.step();
      if (maps.length < 4) maps.push(await addMap(busy, Buffer.from('one during the backup')));
      states.push({ now: busy.now, ids: idsOf(busy), state: JSON.stringify(await visibleState(busy)) });
    });
    const open = await storages.file();
    await restore(await open(), backup);
    const restored = await BusyStore.open(await open(), randomBelow(6), busy.now);
    const found: unknown[] = [];
    // Only states with the same ids can be equal: to compare all of them would read each stored report each time.
    for (const { now, state } of states.filter(({ ids }) => ids === idsOf(restored)))
      if (JSON.stringify(await visibleState({ store: restored.store, now })) === state) found.push(state);
    expect(found.length).toBeGreaterThan(0);
    expect(found).not.toContain(before);
    for (const { blob } of restored.store.model.tables.source_maps.values())
      expect(await restored.store.blobs.get(blob)).not.toBeNull();
    await restored.store.close();
    await busy.store.close();
  },
);

test('a backup delays the freeing of space until it ends', async () => {
  const busy = await busyOn(await (await storages.file())());
  const backup = busy.store.backup();
  await backup.next();
  const compaction = busy.store.compact();
  const order: string[] = [];
  void compaction.then(() => order.push('freed'));
  for await (const piece of backup) expect(piece.length).toBeGreaterThan(0);
  order.push('backed up');
  await compaction;
  expect(order).toEqual(['backed up', 'freed']);
  // An abandoned backup does not delay a compaction.
  const abandoned = busy.store.backup();
  await abandoned.next();
  await abandoned.return(undefined);
  await busy.store.compact();
  await busy.store.close();
});

test('two backups at the same time are both complete', async () => {
  const busy = await busyOn(await (await storages.file())());
  const both = await Promise.all([backUp(busy), backUp(busy)]);
  for (const backup of both) {
    const parts: string[] = [];
    for await (const { kind } of partsOf(backup)) parts.push(kind);
    expect([parts[0], parts.at(-1)]).toEqual(['heading', 'end']);
  }
  await busy.store.close();
});

test('close() aborts a running backup and does not wait for it', async () => {
  const busy = await busyOn(await (await storages.file())());
  const backup = busy.store.backup();
  await backup.next();
  await busy.store.close();
  await expect(backup.next()).rejects.toThrow(/stop/);
});

describe('a backup file', () => {
  async function createBackup(): Promise<Buffer> {
    const busy = await busyOn(await (await storages.memory())());
    await addMap(busy, Buffer.alloc(100, 'map'));
    const backup = await backUp(busy);
    await busy.store.close();
    return backup;
  }

  async function readAll(bytes: Buffer): Promise<number> {
    let parts = 0;
    for await (const _ of partsOf(bytes)) parts++;
    return parts;
  }

  test('a backup file that is truncated at any byte is rejected', async () => {
    const backup = await createBackup();
    expect(await readAll(backup)).toBeGreaterThan(3);
    const random = randomBelow(1);
    for (let times = 0; times < 200; times++) {
      const end = random(backup.length);
      await expect(readAll(backup.subarray(0, end))).rejects.toThrow(BackupFileError);
    }
  });

  test('a backup file with any flipped bit is rejected', async () => {
    const backup = await createBackup();
    const random = randomBelow(2);
    for (let times = 0; times < 300; times++) {
      const damaged = Buffer.from(backup);
      const at = random(damaged.length);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << random(8));
      await expect(readAll(damaged)).rejects.toThrow(BackupFileError);
    }
  });

  test.each([
    ['nothing', Buffer.alloc(0), 'is not a backup'],
    ['something else', Buffer.from('{"hello": "world"}\n'), 'is not a backup'],
    ['one endless line', Buffer.alloc(100_000, 'a'), 'is not a backup'],
    ['zeros', Buffer.alloc(100_000), 'is not a backup'],
  ])('a file with %s is rejected as a backup', async (_, bytes, message) => {
    await expect(readAll(bytes)).rejects.toThrow(message);
  });

  test('a backup file with bytes after its end is rejected', async () => {
    await expect(readAll(Buffer.concat([await createBackup(), Buffer.from('x')]))).rejects.toThrow('damaged');
  });
});
