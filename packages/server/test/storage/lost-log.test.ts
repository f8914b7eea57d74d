import { copyFile, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { openServices, type Services } from '../../src/services.ts';
import { openFileDriver } from '../../src/storage/file/file.ts';
import { machineFiles, type Files } from '../../src/storage/file/files.ts';
import { cleanUp, temporaryFolder } from '../test-utils/describe-service.ts';
import { hasSqlite } from './has-sqlite.ts';

afterEach(cleanUp);

const mapBlob = 'map-of-the-test';

/** The files of a full disk: existing files can be read. */
const fullDisk: Files = {
  ...machineFiles,
  open: (path, flags) => (flags === 'r' ? machineFiles.open(path, flags) : Promise.reject(new Error('no space left'))),
};

interface Opened {
  services: Services;
  warnings: string[];
}

/** Opens the services on a folder. Collects the warnings in the server log. */
async function open(folder: string, files = machineFiles): Promise<Opened> {
  const warnings: string[] = [];
  const config = parseConfig({ storage: `file:${folder}`, adminPassword: 'correct horse battery', logLevel: 'warn' });
  const logTo = { write: (line: string) => void warnings.push((JSON.parse(line) as { msg: string }).msg) };
  const services = await openServices(config, { logTo, driver: await openFileDriver(folder, files) });
  await services.ownerSetup.done;
  return { services, warnings };
}

async function createProject({ store }: Services, name: string): Promise<number> {
  return store.commit((transaction) => {
    const id = transaction.nextId('projects');
    transaction.put('projects', {
      id,
      team_id: 1,
      name,
      api_key: `pk_${name}`,
      created_at: '2026-01-01T00:00:00.000Z',
    });
    return id;
  });
}

/** Creates a folder with projects 1 and 2. Resolves with the folder and its segment files. */
async function createUsedFolder({ withBlob = false } = {}): Promise<{ folder: string; segments: string[] }> {
  const folder = await temporaryFolder();
  const { services, warnings } = await open(folder);
  for (const name of ['Shop', 'Blog']) await createProject(services, name);
  if (withBlob) await services.store.blobs.put(mapBlob, Buffer.from('an index'));
  await services.close();
  expect(warnings).toEqual([]);
  return { folder, segments: await segmentsOf(folder) };
}

async function segmentsOf(folder: string): Promise<string[]> {
  return (await readdir(join(folder, 'log'))).toSorted().map((name) => join(folder, 'log', name));
}

describe('a log with a torn end', () => {
  test('a torn end of a log is reported with its size, and its possible ids are not used again', async () => {
    const { folder, segments } = await createUsedFolder();
    const [segment = ''] = segments.slice(-1);
    await truncate(segment, (await stat(segment)).size - 1);
    const { services, warnings } = await open(folder);
    expect(warnings).toEqual([
      expect.stringMatching(/^dropped the last \d+ bytes of .*00000001\.log, an incomplete batch\. After a crash/),
      'the next ids are 100000 higher, so that no id of the dropped part is assigned again',
    ]);
    expect([...services.store.model.tables.projects.values()].map(({ name }) => name)).toEqual(['Shop']);
    expect(await createProject(services, 'Desk')).toBe(100_002);
    await services.close();
    // The next start finds no torn end: it is removed, and the log contains the higher ids.
    const again = await open(folder);
    expect(again.warnings).toEqual([]);
    expect(await createProject(again.services, 'Dock')).toBe(100_003);
    await again.services.close();
  });

  test('the skipped ids of a torn log stay skipped if the server stops before it uses an id', async () => {
    const { folder, segments } = await createUsedFolder();
    const [segment = ''] = segments.slice(-1);
    await truncate(segment, (await stat(segment)).size - 1);
    await (await open(folder)).services.close();
    const { services, warnings } = await open(folder);
    expect(warnings).toEqual([]);
    // They also stay skipped after a compaction.
    await services.store.compact();
    await services.close();
    const again = await open(folder);
    expect(await createProject(again.services, 'Desk')).toBe(100_002);
    await again.services.close();
  });
});

describe('a log that has lost all batches', () => {
  test.each([0, 50])('the server removes nothing and does not start on blobs and a log of %i bytes', async (size) => {
    const { folder, segments } = await createUsedFolder({ withBlob: true });
    for (const segment of segments) await truncate(segment, size);
    await expect(open(folder)).rejects.toThrow(
      new RegExp(
        `has been used before, but its log can't be read \\(.*00000001\\.log has ${size} bytes; source maps: 1\\)`,
      ),
    );
    expect(await segmentsOf(folder)).toEqual(segments);
    expect(await readdir(join(folder, 'blobs'))).toHaveLength(1);
    // The next start is also rejected.
    await expect(open(folder)).rejects.toThrow('Restore a backup');
  });

  test('the server does not start on a log file of 0 bytes, even without blobs', async () => {
    const { folder, segments } = await createUsedFolder();
    for (const segment of segments) await truncate(segment, 0);
    await expect(open(folder)).rejects.toThrow(/00000001\.log has 0 bytes\)/);
  });

  test('the server does not start on blobs without a log file', async () => {
    const { folder, segments } = await createUsedFolder({ withBlob: true });
    for (const segment of segments) await rm(segment);
    await expect(open(folder)).rejects.toThrow('source maps: 1');
  });
});

test('a loss on a full disk is reported again, and its ids are skipped after the disk is writable', async () => {
  const { folder } = await createUsedFolder();
  await writeFile(join(folder, 'log', '00000007.log'), '');
  const full = await open(folder, fullDisk);
  expect(full.warnings.at(-1)).toMatch(
    /^the next ids are 100000 higher, .* until the server stops: the storage could not be written$/,
  );
  await full.services.close();
  const { services, warnings } = await open(folder);
  expect(warnings).toHaveLength(2);
  expect(await createProject(services, 'Desk')).toBe(100_003);
  await services.close();
  expect(await segmentsOf(folder)).not.toContain(join(folder, 'log', '00000007.log'));
});

test.skipIf(!hasSqlite)('an empty SQLite database with a write-ahead log is rejected', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'a.db');
  const config = parseConfig({ storage: `sqlite:${file}`, adminPassword: 'correct horse battery', logLevel: 'silent' });
  const services = await openServices(config);
  await services.ownerSetup.done;
  // Copy the files in the state that a kill leaves.
  const copy = join(folder, 'copy.db');
  await copyFile(`${file}-wal`, `${copy}-wal`);
  await services.close();
  await writeFile(copy, '');
  const emptied = openServices({ ...config, storage: `sqlite:${copy}` });
  await expect(emptied).rejects.toThrow(
    /copy\.db has 0 bytes, and its write-ahead log has \d+: the storage has lost data/,
  );
});

test('a file of 0 bytes after a readable log is reported as a loss', async () => {
  const { folder } = await createUsedFolder();
  await writeFile(join(folder, 'log', '00000007.log'), '');
  const { services, warnings } = await open(folder);
  expect(warnings[0]).toMatch(/^dropped .*00000007\.log, which has only 0 bytes\. The storage has lost durable data/);
  expect(await createProject(services, 'Desk')).toBe(100_003);
  await services.close();
});
