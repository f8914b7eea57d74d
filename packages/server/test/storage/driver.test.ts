import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RestorableDriver } from '../../src/store/log/storage-driver.ts';
import { bodyHeaderBytes } from '../../src/store/log/batch-frame.ts';
import { readReportBody } from '../../src/store/log/read-report-body.ts';
import { storageNames, storages } from './storages.ts';
import { cleanUp } from '../test-utils/describe-service.ts';
import { readLog } from '../store/log/read-log.ts';
import { stopRedisServers } from './redis-server.ts';

const bytes = (text: string): Buffer => Buffer.from(text);
const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
const parsable = ['123', 'true', 'null', '{"__proto__":{"a":1}}', 'base64:AAAA', '', '"quoted"', '\n'].map(bytes);

afterEach(async () => {
  await stopRedisServers();
  await cleanUp();
});

describe.each(storageNames())('storage driver: %s', (name) => {
  let open: () => Promise<RestorableDriver>;
  beforeEach(async () => void (open = await storages[name]()));

  test('a log is read in write order, and parts of it by position', async () => {
    const driver = await open();
    expect(await readLog(driver)).toEqual([]);
    const positions = new Map<number, number>();
    for (let number = 1; number <= 40; number++)
      positions.set(number, await driver.log.append(number, bytes(`this is batch ${number}`)));
    for (const [number, position] of positions)
      expect(Buffer.from(await driver.log.readAt(position, 8, `batch ${number}`.length)).toString()).toBe(
        `batch ${number}`,
      );
    const expected = Array.from({ length: 40 }, (_, index) => [index + 1, `this is batch ${index + 1}`]);
    expect(await readLog(driver)).toEqual(expected);
    await driver.close();
  });

  test('batches and blobs keep every byte, even if they look like a number or JSON', async () => {
    const driver = await open();
    await readLog(driver);
    for (const [index, content] of [everyByte, ...parsable].entries()) {
      const position = await driver.log.append(index + 1, content);
      expect(Buffer.from(await driver.log.readAt(position, 0, content.length))).toEqual(content);
      await driver.blobs.put(`blob-${index}`, content);
      expect(Buffer.from((await driver.blobs.get(`blob-${index}`)) ?? 'none')).toEqual(content);
    }
    await driver.close();
  });

  test('blobs are stored, listed and removed by name', async () => {
    const driver = await open();
    await driver.blobs.put('map-1', bytes('{}'));
    await driver.blobs.put('map-2', bytes('{}'));
    expect((await driver.blobs.names()).toSorted()).toEqual(['map-1', 'map-2']);
    await driver.blobs.remove('map-1');
    await driver.blobs.remove('map-1');
    expect(await driver.blobs.names()).toEqual(['map-2']);
    expect(await driver.blobs.get('map-1')).toBeNull();
    await driver.close();
  });

  test('a blob can be written in pieces, and nothing is stored if the pieces fail', async () => {
    const driver = await open();
    const pieces = Array.from({ length: 40 }, (_, index) => Buffer.alloc(70_000, index));
    async function* yieldPieces(error?: Error): AsyncGenerator<Buffer> {
      yield* pieces;
      if (error) throw error;
    }
    async function* none(): AsyncGenerator<Buffer> {}
    await driver.blobs.putPieces('map-1', yieldPieces());
    await driver.blobs.putPieces('map-2', none());
    const broken = new Error('interrupted');
    await expect(driver.blobs.putPieces('map-3', yieldPieces(broken))).rejects.toBe(broken);
    expect((await driver.blobs.names()).toSorted()).toEqual(['map-1', 'map-2']);
    expect(Buffer.concat(pieces).equals((await driver.blobs.get('map-1')) ?? Buffer.alloc(0))).toBe(true);
    expect(await driver.blobs.get('map-2')).toHaveLength(0);
    const read = async (blob: string): Promise<Uint8Array[]> => {
      const found: Uint8Array[] = [];
      for await (const piece of driver.blobs.getPieces(blob)) found.push(piece);
      return found;
    };
    expect(Buffer.concat(await read('map-1')).equals(Buffer.concat(pieces))).toBe(true);
    expect(Buffer.concat(await read('map-2'))).toHaveLength(0);
    expect(await read('map-3')).toEqual([]);
    expect(await driver.blobs.get('map-3')).toBeNull();
    for (const blob of ['map-1', 'map-2']) await driver.blobs.remove(blob);
    expect(await driver.blobs.names()).toEqual([]);
    expect(await driver.blobs.get('map-1')).toBeNull();
    await driver.close();
  });

  test('any byte range of a blob can be read', async () => {
    const driver = await open();
    const content = Buffer.from(Array.from({ length: 600_000 }, (_, index) => (index * 7 + (index >>> 8)) & 0xff));
    async function* yieldPieces(pieceBytes: number): AsyncGenerator<Buffer> {
      for (let at = 0; at < content.length; at += pieceBytes) yield content.subarray(at, at + pieceBytes);
    }
    await driver.blobs.put('map-1', content);
    await driver.blobs.putPieces('map-2', yieldPieces(70_000));
    await driver.blobs.putPieces('map-3', yieldPieces(content.length));
    const quarter = 256 * 1024;
    const parts = [
      [0, 1],
      [0, 600_000],
      [599_990, 600_000],
      [599_990, 700_000],
      [600_000, 600_010],
      [quarter - 3, quarter + 3],
      [quarter, 2 * quarter],
      [100, 599_900],
      [1_000, 1_000],
    ] as const;
    for (const blob of ['map-1', 'map-2', 'map-3']) {
      for (const [start, end] of parts) {
        const read = await driver.blobs.read(blob, start, end);
        expect([blob, start, end, read && content.subarray(start, end).equals(read)]).toEqual([blob, start, end, true]);
      }
    }
    expect(await driver.blobs.read('map-4', 0, 10)).toBeNull();
    await driver.close();
  });

  // In files, a number is written again only after a failure. file-log.test.ts tests it. In PostgreSQL, a number
  // belongs to the batch that was first.
  test.skipIf(name === 'file' || name === 'postgres')(
    'a batch that is appended again replaces the first attempt',
    async () => {
      const driver = await open();
      await readLog(driver);
      await driver.log.append(1, bytes('a longer first attempt'));
      await driver.log.append(1, bytes('settled'));
      expect(await readLog(driver)).toEqual([[1, 'settled']]);
      await driver.close();
    },
  );

  test.skipIf(name === 'memory')('batches and blobs are still stored after a reopen', async () => {
    for (let round = 1; round <= 3; round++) {
      const driver = await open();
      expect(await readLog(driver)).toHaveLength(round - 1);
      await driver.log.append(round, bytes(`batch ${round}`));
      await driver.blobs.put(`blob-${round}`, everyByte);
      await driver.close();
    }
    const driver = await open();
    expect(await readLog(driver)).toEqual([1, 2, 3].map((number) => [number, `batch ${number}`]));
    expect(Buffer.from((await driver.blobs.get('blob-1')) ?? [])).toEqual(everyByte);
    expect(await driver.blobs.names()).toHaveLength(3);
    await driver.close();
  });

  test('bodies are stored after the entries of their batch and read by offset', async () => {
    const driver = await open();
    await readLog(driver);
    for (const number of [1, 2]) {
      const position = await driver.log.append(number, bytes(`entries ${number}`), [bytes('one'), everyByte]);
      const first = 'entries 1'.length + bodyHeaderBytes;
      const second = first + 3 + bodyHeaderBytes;
      const pointer = { id: 1, at: 0, position };
      expect((await readReportBody(driver.log, { ...pointer, offset: first, length: 3 })).toString()).toBe('one');
      expect(await readReportBody(driver.log, { ...pointer, offset: second, length: 256 })).toEqual(everyByte);
      await expect(readReportBody(driver.log, { ...pointer, offset: second, length: 255 })).rejects.toThrow(
        'is damaged',
      );
    }
    expect(await readLog(driver)).toEqual([
      [1, 'entries 1'],
      [2, 'entries 2'],
    ]);
    await driver.close();
  });

  test('dropBefore() removes the batches before a seal and keeps later batches and their positions', async () => {
    const driver = await open();
    await readLog(driver);
    const dropped = await driver.log.append(1, bytes('batch 1'), [everyByte]);
    for (const number of [2, 3]) await driver.log.append(number, bytes(`batch ${number}`), [everyByte]);
    const before = driver.log.sizeBytes;
    await driver.log.seal();
    const position = await driver.log.append(4, bytes('batch 4'));
    await driver.log.append(5, bytes('batch 5'));
    const whole = driver.log.sizeBytes;
    expect(whole).toBeGreaterThan(before);
    await driver.log.dropBefore(4);
    expect(driver.log.sizeBytes).toBe(whole - before);
    expect(Buffer.from(await driver.log.readAt(position, 0, 7)).toString()).toBe('batch 4');
    await expect(driver.log.readAt(dropped, 0, 7)).rejects.toThrow(/ENOENT|is missing/);
    expect(await readLog(driver)).toEqual([
      [4, 'batch 4'],
      [5, 'batch 5'],
    ]);
    expect(driver.log.sizeBytes).toBe(whole - before);
    await driver.log.dropBefore(4);
    expect(driver.log.sizeBytes).toBe(whole - before);
    await driver.close();
  });

  test('a repeated seal() changes nothing', async () => {
    const driver = await open();
    await readLog(driver);
    await driver.log.seal();
    await driver.log.append(1, bytes('one'));
    await driver.log.seal();
    await driver.log.seal();
    await driver.log.dropBefore(1);
    await driver.log.append(2, bytes('two'));
    expect(await readLog(driver)).toHaveLength(2);
    await driver.close();
  });

  test('a driver states what an acknowledged report survives', async () => {
    const driver = await open();
    expect(driver.durability).toMatch(/survives|as long as/);
    await driver.close();
  });
});
