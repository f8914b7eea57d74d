import { crc32 } from 'node:zlib';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { BackupFileError, BackupWriter, readBackup } from '../../src/store/backup/backup-file.ts';
import { encodeBatch } from '../../src/store/log/batch.ts';
import { UnusableStorageError } from '../../src/store/log/storage-errors.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { entryVersion, type Entry } from '../../src/store/records/entry.ts';
import { openFileDriver } from '../../src/storage/file/file.ts';
import { reportEntry } from '../store/records/report-entry.ts';
import { cleanUp, temporaryFolder } from '../test-utils/describe-service.ts';

afterEach(cleanUp);

const project = { id: 1, team_id: 1, name: 'Shop', api_key: 'key', created_at: '2026-11-21T10:00:00.000Z' };
const known: Entry = { kind: 'put', table: 'projects', record: project };

/** Entries that a later server could write, with what the error names. */
const later: [string, object, string][] = [
  ['an unknown kind of entry', { kind: 'merge', from: 1, to: 2 }, '"merge"'],
  ['an unknown table', { kind: 'put', table: 'alerts', record: { id: 1 } }, '"alerts"'],
  ['a removal from an unknown table', { kind: 'remove', table: 'constructor', id: 1 }, '"constructor"'],
  ['an unknown field of a record', { ...known, record: { ...project, color: 'red' } }, '"color"'],
  ['an unknown field of an entry', { kind: 'group.remove', id: 1, by: 2 }, '"by"'],
];

function batchOf(entry: object): Buffer {
  return encodeBatch([known, entry as Entry].map((each) => ({ entry: each, body: null }))).bytes;
}

/** A batch that ends with an entry whose kind has no reader. */
function batchOfUnknownBytes(): Buffer {
  return Buffer.concat([batchOf(known), Buffer.of(99, 2, 0, 0, 0, 1, 2)]);
}

/** A report with one more column. */
function batchOfLongReport(): Buffer {
  const report = reportEntry();
  return batchOf({ ...report, values: [...report.values, 'of a later column'] });
}

async function folderWith(batch: Buffer): Promise<string> {
  const folder = await temporaryFolder();
  const driver = await openFileDriver(folder);
  for await (const each of driver.log.read()) void each;
  await driver.log.append(1, batch);
  await driver.close();
  return folder;
}

async function open(folder: string): Promise<Store> {
  const driver = await openFileDriver(folder);
  return openStore(driver, { retentionReports: 100, retentionDays: 90, now: Date.now, warn: () => undefined });
}

async function contentOf(folder: string): Promise<Record<string, string>> {
  const names = await readdir(join(folder, 'log'));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, 'log', name), 'latin1')));
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']));
}

/** Returns why a start on this folder is rejected. The start changes nothing in it. */
async function rejectionOf(folder: string): Promise<string> {
  const before = await contentOf(folder);
  const error = await open(folder).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(UnusableStorageError);
  expect((error as Error).message).toMatch(/newer server.*Upgrade this server again, or restore a backup/);
  expect(await contentOf(folder)).toEqual(before);
  return (error as Error).message;
}

async function* backupWith(batch: Buffer): AsyncGenerator<Buffer> {
  const writer = new BackupWriter();
  yield writer.write({ kind: 'heading', heading: { made_at: '2026-11-21T10:00:00.000Z', about_bytes: 1 } });
  yield writer.write({ kind: 'batch', bytes: batch, bodies: [] });
  yield writer.write({ kind: 'end', totals: { projects: 1, groups: 0, source_maps: 0 } });
}

async function readAll(backup: AsyncIterable<Buffer>): Promise<void> {
  for await (const part of readBackup(backup, 'the backup')) void part;
}

describe('data of a newer server', () => {
  test.each(later)('a start is rejected because of %s', async (_name, entry, reason) => {
    expect(await rejectionOf(await folderWith(batchOf(entry)))).toContain(reason);
  });

  test('a start is rejected because of packed entries of an unknown kind, and of unknown columns', async () => {
    expect(await rejectionOf(await folderWith(batchOfUnknownBytes()))).toContain('the kind 99');
    expect(await rejectionOf(await folderWith(batchOfLongReport()))).toContain('unknown columns');
  });

  test('a start is rejected because of a newer format, also with an unfinished segment in the folder', async () => {
    const folder = await folderWith(batchOf(known));
    const version = entryVersion + 1;
    const [name = ''] = await readdir(join(folder, 'log'));
    const line = JSON.stringify({
      format: 'service-log',
      version,
      first: 1,
      check: crc32(`service-log ${version} 1`),
    });
    const bytes = await readFile(join(folder, 'log', name));
    const rest = bytes.subarray(bytes.indexOf('\n') + 1);
    await writeFile(join(folder, 'log', name), Buffer.concat([Buffer.from(`${line.padEnd(95)}\n`), rest]));
    await writeFile(join(folder, 'log', '00000000.log.tmp'), 'of a server that was killed');
    expect(await rejectionOf(folder)).toContain(`(format ${version}, this one reads up to ${entryVersion})`);
  });

  test('data of the current format is accepted', async () => {
    const store = await open(await folderWith(batchOf(known)));
    expect(store.model.tables.projects.size).toBe(1);
    await store.close();
  });

  test.each(later)('a backup is rejected because of %s', async (_name, entry, reason) => {
    const reading = readAll(backupWith(batchOf(entry)));
    await expect(reading).rejects.toThrow(BackupFileError);
    await expect(reading).rejects.toThrow(reason);
  });
});
