import { readdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createStorage, type Driver as UnstorageDriver } from 'unstorage';
import fsDriver from 'unstorage/drivers/fs';
import memoryDriver from 'unstorage/drivers/memory';
import { afterEach, describe, expect, test } from 'vitest';
import { createService } from '../../src/index.ts';
import { openBuiltInDriver } from '../../src/storage/built-in.ts';
import { openCheckedDriver, openUnstorageDriver } from '../../src/storage/unstorage/unstorage.ts';
import type { Driver } from '../../src/store/log/driver.ts';
import { cleanUp, temporaryFolder } from '../test-utils/service.ts';
import { mapDriver } from './map-driver.ts';
import { readLog } from '../store/read-log.ts';

afterEach(cleanUp);

const bytes = (text: string): Buffer => Buffer.from(text);
const key = (number: number): string => `log:${String(number).padStart(16, '0')}`;

async function append(driver: Driver, ...numbers: number[]): Promise<void> {
  for (const number of numbers) await driver.log.append(number, bytes(`batch ${number}`));
}

describe('the log as items', () => {
  /** Batches 1 to 3, and a way to spoil them. */
  async function written() {
    const driver = memoryDriver() as UnstorageDriver;
    const storage = createStorage({ driver });
    const opened = openUnstorageDriver('memory', '', driver);
    await append(opened, 1, 2, 3);
    const whole = (await storage.getItemRaw<Buffer>(key(3))) as Buffer;
    return { storage, opened, whole };
  }

  test('every byte that a kill can cut off costs the last batch and nothing else', async () => {
    const { storage, opened, whole } = await written();
    for (let length = 0; length < whole.length; length++) {
      await storage.setItemRaw(key(3), whole.subarray(0, length));
      expect(await readLog(opened)).toHaveLength(2);
      expect(await storage.hasItem(key(3))).toBe(false);
    }
    await append(opened, 3, 4);
    expect(await readLog(opened)).toHaveLength(4);
  });

  test('every byte that a storage may spoil is noticed', async () => {
    const { storage, opened, whole } = await written();
    const middle = (await storage.getItemRaw<Buffer>(key(2))) as Buffer;
    for (let index = 0; index < middle.length; index++) {
      const spoilt = Buffer.from(middle);
      spoilt[index] = (spoilt[index] as number) ^ 0x10;
      await storage.setItemRaw(key(2), spoilt);
      await expect(readLog(opened)).rejects.toThrow(/damaged|not a log|newer/);
    }
    expect(await storage.getItemRaw(key(3))).toEqual(whole);
  });

  test('a damaged item with later ones stops the start in one line, and nothing is removed', async () => {
    const { storage, opened } = await written();
    await storage.setItemRaw(key(2), Buffer.from(''));
    await expect(readLog(opened)).rejects.toThrow(`Item ${key(2)} of memory is damaged, and there are later ones.`);
    expect(await storage.getKeys('log')).toHaveLength(3);
  });

  test('an item under the wrong number is damaged', async () => {
    const { storage, opened, whole } = await written();
    await storage.setItemRaw(key(1), whole);
    await expect(readLog(opened)).rejects.toThrow(`Item ${key(1)} of memory is damaged`);
  });

  test('what a newer server wrote is refused, also at the end', async () => {
    const { storage, opened } = await written();
    await storage.setItemRaw(key(4), Buffer.from('{"format":"service-log","version":99,"first":4}\n'));
    await expect(readLog(opened)).rejects.toThrow(/newer server.*Upgrade/);
    expect(await storage.hasItem(key(4))).toBe(true);
  });

  test('items of others are neither read nor removed', async () => {
    const { storage, opened } = await written();
    for (const other of ['log:readme', 'log:.DS_Store', 'log:9:9', 'other'])
      await storage.setItemRaw(other, bytes('x'));
    expect(await readLog(opened)).toHaveLength(3);
    expect(await storage.getKeys()).toHaveLength(7);
  });

  test('an item that went away while the server ran is an error, not an empty report', async () => {
    const { storage, opened } = await written();
    await storage.removeItem(key(2));
    await expect(opened.log.readAt(2, 0, 5)).rejects.toThrow('is gone');
  });
});

describe('a write that fails', () => {
  test('after it reached the storage is settled by the next one, under the same number', async () => {
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

  test('and is the last one may be there at the next start, or not: its number is used once', async () => {
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

describe("unstorage's files", () => {
  test('are named in the config, and a server finds everything there when it starts again', async () => {
    const storage = { driver: 'fs', options: { base: await temporaryFolder() } };
    const first = await createService({ storage, adminPassword: 'a password', logLevel: 'silent' });
    expect(first.storage.name).toBe(`fs:${storage.options.base}`);
    expect(first.firstStart).not.toBeNull();
    await first.close();
    const again = await createService({ storage, logLevel: 'silent' });
    expect(again.firstStart).toBeNull();
    await again.close();
  });

  test('a torn last file is removed at start', async () => {
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

  test('a file that can not be read just now is not taken for a torn one', async () => {
    const base = await temporaryFolder();
    // unstorage's own reader answers with the error instead of throwing it.
    const failing: UnstorageDriver = {
      ...(fsDriver({ base }) as UnstorageDriver),
      getItemRaw: () => Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' }),
    };
    await append(openUnstorageDriver('fs', '', fsDriver({ base }) as UnstorageDriver), 1);
    await expect(readLog(openUnstorageDriver('fs', '', failing))).rejects.toThrow('EIO');
    expect(await readdir(join(base, 'log'))).toHaveLength(1);
  });

  test('a second server on the folder is told who holds it', async () => {
    const base = await temporaryFolder();
    const driver = await openBuiltInDriver('fs', { base });
    await expect(openBuiltInDriver('fs-lite', { base })).rejects.toThrow(`in use by process ${process.pid}`);
    await driver.close();
    await (await openBuiltInDriver('fs', { base })).close();
  });
});

describe('a storage that can not keep reports is refused at start, in one line', () => {
  test.each<[string, string, Record<string, unknown>, string | RegExp]>([
    ['a name that unstorage has not', 'postgres', {}, /^storage: unstorage has no driver "postgres"\. It has .*, fs, /],
    ['a path', '../../etc/passwd', {}, /^storage: unstorage has no driver/],
    ['a name of every object', 'constructor', {}, /^storage: unstorage has no driver "constructor"/],
    ['a cache', 'lruCache', {}, 'storage: lru-cache is a cache and forgets by itself.'],
    [
      'a driver whose client is not installed',
      'mongodb',
      { connectionString: 'mongodb://127.0.0.1', databaseName: 'x' },
      'The storage mongodb needs the package mongodb, which is not installed: npm install mongodb',
    ],
    ['a driver that keeps nothing', 'null', {}, /^The storage null does not give back what is written to it/],
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

  test('files that are read only, or left out by a pattern', async () => {
    const base = await temporaryFolder();
    await expect(openBuiltInDriver('fs', { base, readOnly: true })).rejects.toThrow('does not give back');
    await expect(openBuiltInDriver('fs', { base, ignore: ['**/*'] })).rejects.toThrow('does not list');
    await writeFile(join(base, 'file'), '');
    await expect(openBuiltInDriver('fs', { base: join(base, 'file') })).rejects.toThrow(/can't be used \(EEXIST/);
    // Nobody holds the folder after a refusal.
    await (await openBuiltInDriver('fs', { base })).close();
  });

  test('one that is lossy, or does not forget', async () => {
    const items = new Map<string, string>();
    const lossy = {
      ...mapDriver(items),
      setItemRaw: (name: string, value: Buffer) => void items.set(name, `${value}`),
    };
    await expect(openCheckedDriver('lossy', '', lossy)).rejects.toThrow('does not give back');
    const stubborn = { ...mapDriver(items), removeItem: () => undefined };
    await expect(openCheckedDriver('stubborn', '', stubborn)).rejects.toThrow('does not remove');
  });
});
