import { readdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createStorage, type Driver as UnstorageDriver } from 'unstorage';
import fsDriver from 'unstorage/drivers/fs';
import memoryDriver from 'unstorage/drivers/memory';
import { afterEach, describe, expect, test } from 'vitest';
import { createService } from '../../src/index.ts';
import { openBuiltInDriver } from '../../src/storage/built-in-drivers.ts';
import { openCheckedDriver, openUnstorageDriver } from '../../src/storage/unstorage/unstorage.ts';
import type { StorageDriver } from '../../src/store/log/storage-driver.ts';
import { cleanUp, temporaryFolder } from '../test-utils/describe-service.ts';
import { mapDriver } from './map-driver.ts';
import { readLog } from '../store/log/read-log.ts';

afterEach(cleanUp);

const bytes = (text: string): Buffer => Buffer.from(text);
const key = (number: number): string => `log:${String(number).padStart(16, '0')}`;

async function append(driver: StorageDriver, ...numbers: number[]): Promise<void> {
  for (const number of numbers) await driver.log.append(number, bytes(`batch ${number}`));
}

describe('item log', () => {
  /** Writes batches 1 to 3. Resolves with the storage, so that tests can damage items. */
  async function written() {
    const driver = memoryDriver() as UnstorageDriver;
    const storage = createStorage({ driver });
    const opened = openUnstorageDriver('memory', '', driver);
    await append(opened, 1, 2, 3);
    const whole = (await storage.getItemRaw<Buffer>(key(3))) as Buffer;
    return { storage, opened, whole };
  }

  test('an item log with a truncated last item loses only that batch', async () => {
    const { storage, opened, whole } = await written();
    for (let length = 0; length < whole.length; length++) {
      await storage.setItemRaw(key(3), whole.subarray(0, length));
      expect(await readLog(opened)).toHaveLength(2);
      expect(await storage.hasItem(key(3))).toBe(false);
    }
    await append(opened, 3, 4);
    expect(await readLog(opened)).toHaveLength(4);
  });

  test('an item log detects any changed byte of an item that is not the last', async () => {
    const { storage, opened, whole } = await written();
    const middle = (await storage.getItemRaw<Buffer>(key(2))) as Buffer;
    for (let index = 0; index < middle.length; index++) {
      const damaged = Buffer.from(middle);
      damaged[index] = (damaged[index] as number) ^ 0x10;
      await storage.setItemRaw(key(2), damaged);
      await expect(readLog(opened)).rejects.toThrow(/damaged|not a log|newer/);
    }
    expect(await storage.getItemRaw(key(3))).toEqual(whole);
  });

  test('an item log is not read if items follow a damaged one, and nothing is removed', async () => {
    const { storage, opened } = await written();
    await storage.setItemRaw(key(2), Buffer.from(''));
    await expect(readLog(opened)).rejects.toThrow(`Item ${key(2)} of memory is damaged, and later items follow it.`);
    expect(await storage.getKeys('log')).toHaveLength(3);
  });

  test('an item with the number of another batch is reported as damaged', async () => {
    const { storage, opened, whole } = await written();
    await storage.setItemRaw(key(1), whole);
    await expect(readLog(opened)).rejects.toThrow(`Item ${key(1)} of memory is damaged`);
  });

  test('an item of a newer server is rejected and kept, also at the end of the log', async () => {
    const { storage, opened } = await written();
    await storage.setItemRaw(key(4), Buffer.from('{"format":"service-log","version":99,"first":4}\n'));
    await expect(readLog(opened)).rejects.toThrow(/newer server.*Upgrade/);
    expect(await storage.hasItem(key(4))).toBe(true);
  });

  test('an item log neither reads nor removes other items', async () => {
    const { storage, opened } = await written();
    for (const other of ['log:readme', 'log:.DS_Store', 'log:9:9', 'other'])
      await storage.setItemRaw(other, bytes('x'));
    expect(await readLog(opened)).toHaveLength(3);
    expect(await storage.getKeys()).toHaveLength(7);
  });

  test('reading an item that was removed while the server runs rejects', async () => {
    const { storage, opened } = await written();
    await storage.removeItem(key(2));
    await expect(opened.log.readAt(2, 0, 5)).rejects.toThrow('is missing');
  });
});

describe('a failed write to an item log', () => {
  test('a failed write that reached the storage is overwritten by the next one with its number', async () => {
    const items = new Map<string, string>();
    let failing = false;
    const lossy: UnstorageDriver = {
      ...mapDriver(items),
      setItem(name, value) {
        items.set(name, value);
        if (failing) throw new Error('ETIMEDOUT');
      },
    };
    const driver = openUnstorageDriver('map', '', lossy);
    await append(driver, 1);
    failing = true;
    await expect(driver.log.append(2, bytes('of unknown outcome, and longer'))).rejects.toThrow('ETIMEDOUT');
    failing = false;
    await driver.log.append(2, bytes('settled'));
    await append(driver, 3);
    expect((await readLog(openUnstorageDriver('map', '', mapDriver(items))))[1]).toEqual([2, 'settled']);
    expect(items.size).toBe(3);
  });

  test('a failed last write that reached the storage is read at the next start', async () => {
    const items = new Map<string, string>();
    const driver = openUnstorageDriver('map', '', {
      ...mapDriver(items),
      setItem(name, value) {
        items.set(name, value);
        throw new Error('ECONNRESET');
      },
    });
    await expect(driver.log.append(1, bytes('unknown'))).rejects.toThrow('ECONNRESET');
    const next = openUnstorageDriver('map', '', mapDriver(items));
    expect(await readLog(next)).toEqual([[1, 'unknown']]);
    await append(next, 2);
    expect(await readLog(next)).toHaveLength(2);
  });
});

describe('fs driver of unstorage', () => {
  test('a server on the configured fs driver finds its data after a restart', async () => {
    const storage = { driver: 'fs', options: { base: await temporaryFolder() } };
    const first = await createService({ storage, adminPassword: 'a password', logLevel: 'silent' });
    expect(first.storage.name).toBe(`fs:${storage.options.base}`);
    expect(first.firstStart).not.toBeNull();
    await first.close();
    const again = await createService({ storage, logLevel: 'silent' });
    expect(again.firstStart).toBeNull();
    await again.close();
  });

  test('a torn last file of the fs driver is removed at start', async () => {
    const base = await temporaryFolder();
    const driver = await openBuiltInDriver('fs', { base });
    await append(driver, 1, 2, 3);
    await driver.close();
    await truncate(join(base, 'log', key(3).slice(4)), 50);
    const again = await openBuiltInDriver('fs', { base });
    expect(await readLog(again)).toHaveLength(2);
    expect(await readdir(join(base, 'log'))).toHaveLength(2);
    await again.close();
  });

  test('a file with a read error is not removed as a torn item', async () => {
    const base = await temporaryFolder();
    // The fs driver returns a read error instead of throwing it.
    const failing: UnstorageDriver = {
      ...(fsDriver({ base }) as UnstorageDriver),
      getItemRaw: () => Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' }),
    };
    await append(openUnstorageDriver('fs', '', fsDriver({ base }) as UnstorageDriver), 1);
    await expect(readLog(openUnstorageDriver('fs', '', failing))).rejects.toThrow('EIO');
    expect(await readdir(join(base, 'log'))).toHaveLength(1);
  });

  test('a second server on the folder of an fs driver is rejected with the id of the owner', async () => {
    const base = await temporaryFolder();
    const driver = await openBuiltInDriver('fs', { base });
    await expect(openBuiltInDriver('fs-lite', { base })).rejects.toThrow(`in use by process ${process.pid}`);
    await driver.close();
    await (await openBuiltInDriver('fs', { base })).close();
  });
});

describe('a storage that cannot store reports is rejected at start with one line', () => {
  test.each<[string, string, Record<string, unknown>, string | RegExp]>([
    [
      'a name that unstorage does not have',
      'postgres',
      {},
      /^storage: unstorage has no driver "postgres"\. It has .*, fs, /,
    ],
    ['a path', '../../etc/passwd', {}, /^storage: unstorage has no driver/],
    ['a property name of every object', 'constructor', {}, /^storage: unstorage has no driver "constructor"/],
    ['a cache', 'lruCache', {}, 'storage: lru-cache is a cache, which discards items.'],
    [
      'a driver whose client is not installed',
      'mongodb',
      { connectionString: 'mongodb://127.0.0.1', databaseName: 'x' },
      'The storage mongodb needs the package mongodb, which is not installed: npm install mongodb',
    ],
    ['a driver that stores nothing', 'null', {}, /^The storage null does not return the bytes that were written/],
    ['a driver without its options', 'http', {}, /^The storage http can't be used \(.*Failed to parse URL.*\)\.$/],
    ['files without a folder', 'fs', {}, 'storage: options.base: the driver fs needs the path of a folder'],
    ['a cluster', 'redis', { cluster: [] }, /^storage: options\.cluster: /],
    ['items that expire', 'redis', { ttl: 60 }, /^storage: options\.ttl: /],
  ])('%s', async (_, name, options, message) => {
    const error = await openBuiltInDriver(name, options).then(
      () => null,
      (reason: Error) => reason,
    );
    expect(error?.name).toBe('UnusableStorageError');
    expect(error?.message).toMatch(message);
    expect(error?.message).not.toContain('\n');
  });

  test('rejects an fs driver that is read-only, ignores all files or has no folder', async () => {
    const base = await temporaryFolder();
    await expect(openBuiltInDriver('fs', { base, readOnly: true })).rejects.toThrow('does not return');
    await expect(openBuiltInDriver('fs', { base, ignore: ['**/*'] })).rejects.toThrow('does not list');
    await writeFile(join(base, 'file'), '');
    await expect(openBuiltInDriver('fs', { base: join(base, 'file') })).rejects.toThrow(/can't be used \(EEXIST/);
    // A rejected start releases the lock of the folder.
    await (await openBuiltInDriver('fs', { base })).close();
  });

  test('rejects a driver that changes bytes or does not remove items', async () => {
    const items = new Map<string, string>();
    const lossy = {
      ...mapDriver(items),
      setItemRaw: (name: string, value: Buffer) => void items.set(name, `${value}`),
    };
    await expect(openCheckedDriver('lossy', '', lossy)).rejects.toThrow('does not return');
    const stubborn = { ...mapDriver(items), removeItem: () => undefined };
    await expect(openCheckedDriver('stubborn', '', stubborn)).rejects.toThrow('does not remove');
  });
});
