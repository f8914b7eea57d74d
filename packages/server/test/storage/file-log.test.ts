import { spawn } from 'node:child_process';
import { appendFile, mkdir, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import { segmentHeader } from '../../src/storage/file/file-segment.ts';
import { FileLog } from '../../src/storage/file/file-log.ts';
import { openFileDriver } from '../../src/storage/file/file.ts';
import type { StorageDriver } from '../../src/store/log/storage-driver.ts';
import { machineFiles, type Files } from '../../src/storage/file/files.ts';
import { bodyHeaderBytes, frameBatch } from '../../src/store/log/batch-frame.ts';
import { readReportBody } from '../../src/store/log/read-report-body.ts';
import { cleanUp, temporaryFolder } from '../test-utils/describe-service.ts';
import { readLog } from '../store/log/read-log.ts';

afterEach(cleanUp);

const bytes = (text: string): Buffer => Buffer.from(text);

/** The files of the machine. Reports the length of each read to `count`. */
function countingFiles(count: (length: number) => void): Files {
  return {
    ...machineFiles,
    async open(path, flags) {
      const file = await machineFiles.open(path, flags);
      return {
        async read(buffer, offset, length, position) {
          count(length);
          return file.read(buffer, offset, length, position);
        },
        append: (parts) => file.append(parts),
        datasync: () => file.datasync(),
        size: () => file.size(),
        close: () => file.close(),
      };
    },
  };
}

describe('file log', () => {
  /** Creates a folder with batches 1 to 3 in one segment, and closes it. */
  async function written(bodies?: Buffer[]): Promise<{ folder: string; segment: string }> {
    const folder = await temporaryFolder();
    const driver = await openFileDriver(folder);
    expect(await readLog(driver)).toEqual([]);
    for (const number of [1, 2, 3]) await driver.log.append(number, bytes(`batch ${number}`), bodies);
    await driver.close();
    return { folder, segment: join(folder, 'log', '00000001.log') };
  }

  async function reopened(folder: string): Promise<StorageDriver> {
    return openFileDriver(folder);
  }

  test('a start makes the name of an empty newest segment durable, so that no hidden batch returns', async () => {
    const { folder } = await written();
    // The write of batch 3 has failed, and the process was killed before the name of the next segment was durable.
    await writeFile(join(folder, 'log', '00000002.log'), segmentHeader(3));
    const synced: string[] = [];
    const files: Files = {
      ...machineFiles,
      async syncFolder(path) {
        synced.push(path);
        return machineFiles.syncFolder(path);
      },
    };
    const log = new FileLog(join(folder, 'log'), files);
    const batches: number[] = [];
    for await (const { number } of log.read()) batches.push(number);
    expect(batches).toEqual([1, 2]);
    expect(synced).toEqual([join(folder, 'log')]);
    await log.close();
  });

  test('a file log truncated at any byte of its last batch loses only that batch', async () => {
    const { folder, segment } = await written();
    const { size } = await stat(segment);
    const frame = Buffer.concat(frameBatch(3, bytes('batch 3'))).length;
    for (let cut = 1; cut < frame; cut++) {
      await truncate(segment, size - cut);
      const driver = await reopened(folder);
      expect(await readLog(driver)).toHaveLength(2);
      await driver.close();
    }
  });

  test('a file log truncated within the bodies of its last batch loses only that batch', async () => {
    const { folder, segment } = await written([bytes('a body'), bytes('another')]);
    const { size } = await stat(segment);
    for (let cut = 1; cut < 'a body'.length + 'another'.length + 2 * bodyHeaderBytes; cut++) {
      await truncate(segment, size - cut);
      const driver = await reopened(folder);
      expect(await readLog(driver)).toHaveLength(2);
      await driver.close();
    }
  });

  test('a file log detects any changed byte before its last batch, also in bodies', async () => {
    const { folder, segment } = await written([bytes('a body')]);
    const whole = await readFile(segment);
    const last = Buffer.concat(frameBatch(3, bytes('batch 3'), [bytes('a body')])).length;
    for (let index = 0; index < whole.length - last; index++) {
      const damaged = Buffer.from(whole);
      damaged[index] = (damaged[index] as number) ^ 0x10;
      await writeFile(segment, damaged);
      const driver = await reopened(folder);
      await expect(readLog(driver)).rejects.toThrow(/damaged|not a log|newer|before the first release/);
      await driver.close();
    }
  });

  test('the start skips the bodies of a large file log, and reading a damaged body rejects', async () => {
    const folder = await temporaryFolder();
    const driver = await openFileDriver(folder);
    await readLog(driver);
    const body = Buffer.alloc(3_000_000, 'x');
    const positions: number[] = [];
    for (let number = 1; number <= 24; number++)
      positions.push(await driver.log.append(number, bytes(`batch ${number}`), [body]));
    await driver.close();
    const segment = join(folder, 'log', '00000001.log');
    const file = await open(segment, 'r+');
    await file.write('y', ((positions[4] ?? 0) % 2 ** 32) + 1_000);
    await file.close();
    let read = 0;
    const again = await openFileDriver(
      folder,
      countingFiles((length) => (read += length)),
    );
    expect(await readLog(again)).toHaveLength(24);
    expect(read).toBeLessThan(40_000_000);
    const pointer = { id: 7, at: 0, offset: 'batch 1'.length + bodyHeaderBytes, length: body.length };
    const bodyAt = (index: number) => readReportBody(again.log, { ...pointer, position: positions[index] ?? 0 });
    // `toEqual` compares byte by byte, which takes half a minute for three million bytes.
    expect((await bodyAt(3)).equals(body)).toBe(true);
    await expect(bodyAt(4)).rejects.toThrow(/Report 7 is damaged .*restore/);
    await again.close();
  });

  test('the number of a torn batch is used again, in a new segment', async () => {
    const { folder, segment } = await written();
    await truncate(segment, (await stat(segment)).size - 1);
    const driver = await reopened(folder);
    await readLog(driver);
    await driver.log.append(3, bytes('another 3'));
    await driver.log.append(4, bytes('batch 4'));
    await driver.close();
    expect(await readdir(join(folder, 'log'))).toHaveLength(2);
    const again = await reopened(folder);
    expect((await readLog(again)).slice(2)).toEqual([
      [3, 'another 3'],
      [4, 'batch 4'],
    ]);
    await again.close();
  });

  test('a batch of unknown outcome is replaced by a later batch with its number', async () => {
    const { folder } = await written();
    await writeFile(
      join(folder, 'log', '00000002.log'),
      Buffer.concat([segmentHeader(3), ...frameBatch(3, bytes('settled'))]),
    );
    const driver = await reopened(folder);
    expect((await readLog(driver))[2]).toEqual([3, 'settled']);
    await driver.close();
  });

  test('a file log is not read if good batches follow a damaged one', async () => {
    const { folder, segment } = await written();
    const file = await readFile(segment);
    file[file.indexOf('batch 2')] = 0;
    await writeFile(segment, file);
    const driver = await reopened(folder);
    await expect(readLog(driver)).rejects.toThrow(/damaged at byte \d+.*Restore/);
    await driver.close();
  });

  test('a file log is not read if good batches follow two damaged ones', async () => {
    const folder = await temporaryFolder();
    const driver = await openFileDriver(folder);
    await readLog(driver);
    for (let number = 1; number <= 6; number++) await driver.log.append(number, bytes(`batch ${number}`));
    await driver.close();
    const segment = join(folder, 'log', '00000001.log');
    const file = await readFile(segment);
    for (const text of ['batch 3', 'batch 4']) file[file.indexOf(text)] = 0;
    await writeFile(segment, file);
    const again = await reopened(folder);
    await expect(readLog(again)).rejects.toThrow(/damaged at byte/);
    await again.close();
  });

  test('failed attempts to create a segment leave no files', async () => {
    const { folder } = await written();
    const driver = await reopened(folder);
    await readLog(driver);
    await driver.log.seal();
    await rm(join(folder, 'log'), { recursive: true });
    for (let attempt = 0; attempt < 3; attempt++)
      await expect(driver.log.append(4, bytes('x'))).rejects.toThrow('ENOENT');
    await mkdir(join(folder, 'log'));
    await driver.log.append(4, bytes('batch 4'));
    await driver.close();
    expect(await readdir(join(folder, 'log'))).toHaveLength(1);
  });

  test('the last batch is written again at start, because its sync may have failed', async () => {
    const { folder, segment } = await written();
    const driver = await reopened(folder);
    expect(await readLog(driver)).toHaveLength(3);
    await driver.log.append(4, bytes('batch 4'));
    await driver.close();
    // A power loss discards what was only in the page cache.
    await truncate(segment, (await stat(segment)).size - 1);
    const again = await reopened(folder);
    expect((await readLog(again)).slice(2)).toEqual([
      [3, 'batch 3'],
      [4, 'batch 4'],
    ]);
    await again.close();
  });

  test('a file log on a full disk is readable and writes its last batch again with the next append', async () => {
    const { folder, segment } = await written();
    let isFull = true;
    const driver = await openFileDriver(folder, {
      ...machineFiles,
      open: (path, flags) =>
        isFull && flags !== 'r' ? Promise.reject(new Error('ENOSPC')) : machineFiles.open(path, flags),
    });
    expect(await readLog(driver)).toHaveLength(3);
    await expect(driver.log.append(4, bytes('batch 4'))).rejects.toThrow('ENOSPC');
    isFull = false;
    await driver.log.append(4, bytes('batch 4'));
    await driver.close();
    await truncate(segment, (await stat(segment)).size - 1);
    const again = await reopened(folder);
    expect(await readLog(again)).toHaveLength(4);
    await again.close();
  });

  test('an unfinished segment has a temporary name and is removed at start', async () => {
    const { folder } = await written();
    await writeFile(join(folder, 'log', '00000002.log.tmp'), 'anything\n');
    const driver = await reopened(folder);
    expect(await readLog(driver)).toHaveLength(3);
    expect((await readdir(join(folder, 'log'))).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    await driver.close();
  });

  test('segment files without a header are skipped at any position', async () => {
    const { folder } = await written();
    for (const name of ['00000002.log', '00000003.log']) await writeFile(join(folder, 'log', name), '');
    await writeFile(
      join(folder, 'log', '00000004.log'),
      Buffer.concat([segmentHeader(4), ...frameBatch(4, bytes('batch 4'))]),
    );
    const driver = await reopened(folder);
    expect(await readLog(driver)).toHaveLength(4);
    await driver.close();
  });

  test('a file log is not read if a segment is missing', async () => {
    const { folder } = await written();
    await writeFile(join(folder, 'log', '00000002.log'), segmentHeader(9));
    const driver = await reopened(folder);
    await expect(readLog(driver)).rejects.toThrow(/a part of the log is missing/);
    await driver.close();
  });

  test('a segment with an incomplete header is dropped', async () => {
    const { folder } = await written();
    await writeFile(join(folder, 'log', '00000002.log'), segmentHeader(4).subarray(0, 9));
    const driver = await reopened(folder);
    expect(await readLog(driver)).toHaveLength(3);
    await driver.log.append(4, bytes('batch 4'));
    await driver.close();
  });

  test('a file log of a newer server or from before the first release is rejected', async () => {
    const { folder } = await written();
    await writeFile(join(folder, 'log', '00000002.log'), '{"format":"service-log","version":99,"first":4}\n');
    const driver = await reopened(folder);
    await expect(readLog(driver)).rejects.toThrow(/newer server.*Upgrade/);
    await driver.close();
    await writeFile(join(folder, 'log', '00000002.log'), '{"format":"service-log","version":1,"first":4}\n');
    const again = await reopened(folder);
    await expect(readLog(again)).rejects.toThrow(/before the first release.*another folder/);
    await again.close();
  });

  test('zeros after the last batch are ignored', async () => {
    const { folder, segment } = await written();
    await appendFile(segment, Buffer.alloc(10_000));
    const driver = await reopened(folder);
    expect(await readLog(driver)).toHaveLength(3);
    await driver.close();
  });

  test('batches larger than the read buffer are read completely', async () => {
    const folder = await temporaryFolder();
    const driver = await openFileDriver(folder);
    await readLog(driver);
    const large = 'x'.repeat(9_000_000);
    await driver.log.append(1, bytes(large));
    await driver.log.append(2, bytes('small'));
    const [first, second] = await readLog(driver);
    expect(first?.[1].length).toBe(large.length);
    expect(second).toEqual([2, 'small']);
    await driver.close();
  });

  test('a lock file names its live owner to a second server, and the lock of a dead owner is replaced', async () => {
    const folder = await temporaryFolder();
    const driver = await openFileDriver(folder);
    await expect(openFileDriver(folder)).rejects.toThrow(`in use by process ${process.pid}`);
    await driver.close();
    await writeFile(join(folder, 'lock'), JSON.stringify({ pid: process.pid, began: 'long ago' }));
    const next = await openFileDriver(folder);
    await next.close();
    await writeFile(join(folder, 'lock'), 'garbage');
    const [one, other] = await Promise.allSettled([openFileDriver(folder), openFileDriver(folder)]);
    expect([one.status, other.status].toSorted()).toEqual(['fulfilled', 'rejected']);
    for (const result of [one, other]) if (result.status === 'fulfilled') await result.value.close();
  });

  test.skipIf(process.platform !== 'linux')('the lock file of a zombie process is replaced', async () => {
    const folder = await temporaryFolder();
    // The shell becomes `sleep`, which never reads the status of its child, and only then the child ends.
    // A shell could read the status, and the child would not become a zombie.
    const parent = spawn('sh', ['-c', 'cat <&3 & echo $!; exec sleep 60 3<&-'], {
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    });
    const pid = Number(
      await new Promise((resolve) => parent.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString()))),
    );
    await expect.poll(() => readFile(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n');
    (parent.stdio[3] as Writable).end();
    await expect.poll(() => readFile(`/proc/${pid}/stat`, 'utf8')).toContain(') Z ');
    const began = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ')[19];
    await writeFile(join(folder, 'lock'), JSON.stringify({ pid, began }));
    const driver = await openFileDriver(folder);
    await driver.close();
    parent.kill();
  });
});
