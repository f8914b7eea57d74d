import { cp, readdir, readFile } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { oldestEntryVersion, entryVersion } from '../../src/store/records/entry.ts';
import { readBackup } from '../../src/store/backup/backup-file.ts';
import { restoreBackup } from '../../src/store/backup/restore-backup.ts';
import { openFileDriver } from '../../src/storage/file/file.ts';
import { cleanUp, temporaryFolder } from '../test-utils/describe-service.ts';
import { openService, type OpenService } from '../test-utils/open-service.ts';

/** What `write-storage.mjs` wrote with the server of an earlier commit. */
const folder = fileURLToPath(new URL('./storages', import.meta.url));

interface Written {
  /** When the responses were read, in milliseconds since 1970. */
  at: number;
  /** The responses by path. */
  responses: Record<string, unknown>;
}

const storages = await readdir(folder);
/** Responses are compared four times, before and after a compaction and a restart. */
const minResponses = 4 * 20;
const withBackup = await Promise.all(
  storages.map(async (name) => ((await readdir(join(folder, name))).includes('backup') ? [name] : [])),
).then((names) => names.flat());

afterEach(cleanUp);

async function writtenBy(name: string): Promise<Written> {
  return JSON.parse(await readFile(join(folder, name, 'responses.json'), 'utf8'), asShownNow) as Written;
}

function asShownNow(key: string, value: unknown): unknown {
  return key === 'url' && Array.isArray(value) ? withoutQueries(value as UrlCount[]) : withoutPythonFrames(key, value);
}

interface UrlCount {
  value: string;
  count: number;
}

/** Earlier servers counted a URL with its query. */
function withoutQueries(counts: readonly UrlCount[]): UrlCount[] {
  const totals = new Map<string, number>();
  for (const { value, count } of counts) {
    const url = value.replace(/[?#].*/, '');
    totals.set(url, (totals.get(url) ?? 0) + count);
  }
  return Array.from(totals, ([value, count]) => ({ value, count }));
}

/** A stored report is parsed when it is shown, and later servers parse more of a Python report. */
function withoutPythonFrames(_key: string, value: unknown): unknown {
  const { stacktrace } = (value ?? {}) as { stacktrace?: string };
  if (!stacktrace?.startsWith('Traceback')) return value;
  const { frames: _frames, type: _type, ...rest } = value as { frames: unknown; type: unknown };
  return rest;
}

/** Returns the number of responses that were compared. */
async function compareResponses({ call }: OpenService, { responses }: Written): Promise<number> {
  for (const [path, expected] of Object.entries(responses)) {
    const { status, body } = await call<object>('GET', path);
    expect({ path, status, body }).toMatchObject({ path, status: 200, body: expected as object });
  }
  return Object.keys(responses).length;
}

/**
 * Compares the responses before and after a restart and a compaction, which writes the storage in the current format.
 * Returns the number of comparisons.
 */
async function compareStorage(storage: string, written: Written): Promise<number> {
  let compared = 0;
  for (const isCompacted of [false, true]) {
    const service = await openService({ storage }, { now: () => written.at });
    try {
      compared += await compareResponses(service, written);
      if (!isCompacted) await service.services.store.compact();
      compared += await compareResponses(service, written);
    } finally {
      await service.close();
    }
  }
  return compared;
}

describe('storages of earlier servers', () => {
  test('include one of every earlier format that the server reads', () => {
    const formats = new Set(storages.map((name) => Number(/^format-(\d+)-/.exec(name)?.[1])));
    const earlier = [...formats].filter((version) => version < entryVersion);
    const command = `node packages/server/test/upgrade/write-storage.mjs SERVER_PACKAGE packages/server/test/upgrade/storages/format-${entryVersion - 1}-VERSION`;
    expect(
      earlier.toSorted((a, b) => a - b),
      `Write a storage of the previous format. SERVER_PACKAGE is packages/server of a built checkout of main, VERSION is its version: ${command}. Then list it in packages/server/test/upgrade/README.md.`,
    ).toEqual(Array.from({ length: entryVersion - oldestEntryVersion }, (_, index) => oldestEntryVersion + index));
  });

  test.each(storages)('the data folder of %s gives the same responses as before the upgrade', async (name) => {
    const path = join(await temporaryFolder(), 'data');
    await cp(join(folder, name, 'data'), path, { recursive: true });
    expect(await compareStorage(`file:${path}`, await writtenBy(name))).toBeGreaterThan(minResponses);
  });

  test.each(withBackup)('the restored backup of %s gives the same responses as before the upgrade', async (name) => {
    const path = await temporaryFolder();
    const driver = await openFileDriver(path);
    const file = join(folder, name, 'backup');
    await restoreBackup(driver, readBackup(createReadStream(file) as AsyncIterable<Buffer>, file));
    await driver.close();
    expect(await compareStorage(`file:${path}`, await writtenBy(name))).toBeGreaterThan(minResponses);
  });
});
