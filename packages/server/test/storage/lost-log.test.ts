import { copyFile, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { openServices, type Services } from '../../src/services.ts';
import { openFileDriver } from '../../src/storage/file/file.ts';
import { machineFiles, type Files } from '../../src/storage/file/files.ts';
import { cleanUp, temporaryFolder } from '../test-utils/service.ts';
import { hasSqlite } from './has-sqlite.ts';

afterEach(cleanUp);

const mapBlob = 'map-of-the-test';

/** The files of a disk that is full: what is there can be read. */
const fullDisk: Files = {
  ...machineFiles,
  open: (path, flags) => (flags === 'r' ? machineFiles.open(path, flags) : Promise.reject(new Error('no space left'))),
};

interface Opened {
  services: Services;
  warnings: string[];
}

/** Opens a server on a folder, with what its log warns of. */
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

/** A folder in which a server has made projects 1 and 2, and the files of its log. */
async function used({ withBlob = false } = {}): Promise<{ folder: string; segments: string[] }> {
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

describe('a log whose end is not whole', () => {
  test('is told with its size, and the ids that it may have given are not given again', async () => {
    const { folder, segments } = await used();
    const [segment = ''] = segments.slice(-1);
    await truncate(segment, (await stat(segment)).size - 1);
    const { services, warnings } = await open(folder);
    expect(warnings).toEqual([
      expect.stringMatching(/^the last \d+ bytes of .*00000001\.log are not a whole batch and are dropped: .* crash/),
      'ids go on 100000 higher, so that none that the dropped part may have given is given again',
    ]);
    expect([...services.store.model.tables.projects.values()].map(({ name }) => name)).toEqual(['Shop']);
    expect(await createProject(services, 'Desk')).toBe(100_002);
    await services.close();
    // Once is enough: what was dropped is not found again, and the higher ids are in the log.
    const again = await open(folder);
    expect(again.warnings).toEqual([]);
    expect(await createProject(again.services, 'Dock')).toBe(100_003);
    await again.services.close();
  });

  test('keeps its higher ids when the server stops before it gives one', async () => {
    const { folder, segments } = await used();
    const [segment = ''] = segments.slice(-1);
    await truncate(segment, (await stat(segment)).size - 1);
    await (await open(folder)).services.close();
    const { services, warnings } = await open(folder);
    expect(warnings).toEqual([]);
    // Also after the state was written again.
    await services.store.compact();
    await services.close();
    const again = await open(folder);
    expect(await createProject(again.services, 'Desk')).toBe(100_002);
    await again.services.close();
  });
});

describe('a log that holds nothing any more', () => {
  test.each([0, 50])(
    'with a file of %i bytes beside blobs: the start is refused, and nothing is removed',
    async (size) => {
      const { folder, segments } = await used({ withBlob: true });
      for (const segment of segments) await truncate(segment, size);
      await expect(open(folder)).rejects.toThrow(
        new RegExp(
          `has been used, but nothing can be read of its log \\(.*00000001\\.log has ${size} bytes; 1 source maps`,
        ),
      );
      expect(await segmentsOf(folder)).toEqual(segments);
      expect(await readdir(join(folder, 'blobs'))).toHaveLength(1);
      // And so is the next one.
      await expect(open(folder)).rejects.toThrow('Restore a backup');
    },
  );

  test('with a file of 0 bytes alone: the start is refused', async () => {
    const { folder, segments } = await used();
    for (const segment of segments) await truncate(segment, 0);
    await expect(open(folder)).rejects.toThrow(/00000001\.log has 0 bytes\)/);
  });

  test('without a file beside blobs: the start is refused', async () => {
    const { folder, segments } = await used({ withBlob: true });
    for (const segment of segments) await rm(segment);
    await expect(open(folder)).rejects.toThrow('1 source maps are there');
  });
});

test('a loss that is found on a full disk is found again, and its ids are skipped once it can be written', async () => {
  const { folder } = await used();
  await writeFile(join(folder, 'log', '00000007.log'), '');
  const full = await open(folder, fullDisk);
  expect(full.warnings.at(-1)).toMatch(/^ids go on 100000 higher, .* for now: the storage could not be written$/);
  await full.services.close();
  const { services, warnings } = await open(folder);
  expect(warnings).toHaveLength(2);
  expect(await createProject(services, 'Desk')).toBe(100_003);
  await services.close();
  expect(await segmentsOf(folder)).not.toContain(join(folder, 'log', '00000007.log'));
});

test.skipIf(!hasSqlite)('an SQLite database that was emptied beside its write-ahead log is refused', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'a.db');
  const config = parseConfig({ storage: `sqlite:${file}`, adminPassword: 'correct horse battery', logLevel: 'silent' });
  const services = await openServices(config);
  await services.ownerSetup.done;
  // As a kill leaves them.
  const copy = join(folder, 'copy.db');
  await copyFile(`${file}-wal`, `${copy}-wal`);
  await services.close();
  await writeFile(copy, '');
  const emptied = openServices({ ...config, storage: `sqlite:${copy}` });
  await expect(emptied).rejects.toThrow(
    /copy\.db has 0 bytes, and its write-ahead log has \d+: the storage has lost data/,
  );
});

test('a file of 0 bytes behind a log that can be read is told as a loss', async () => {
  const { folder } = await used();
  await writeFile(join(folder, 'log', '00000007.log'), '');
  const { services, warnings } = await open(folder);
  expect(warnings[0]).toMatch(/00000007\.log has only 0 bytes and is dropped: the storage has lost data/);
  expect(await createProject(services, 'Desk')).toBe(100_003);
  await services.close();
});
