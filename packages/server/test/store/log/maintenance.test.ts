import { expect, test } from 'vitest';
import type { StorageDriver } from '../../../src/store/log/storage-driver.ts';
import { openMemoryDriver } from '../../../src/storage/unstorage/memory.ts';
import { openUnstorageDriver } from '../../../src/storage/unstorage/unstorage.ts';
import { recordReport } from '../../../src/ingest/record-report.ts';
import { emptyValues } from '../records/report-entry.ts';
import { unlimitedStorage } from '../unlimited-storage.ts';
import { openStore, type Store, type StoreOptions } from '../../../src/store/store.ts';
import type { Timing } from '../../../src/time/timing.ts';
import { mapDriver } from '../../storage/map-driver.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A clock that the test advances, and maintenance checks that the test starts. */
class TestTime implements Timing {
  date = Date.UTC(2026, 0, 1);
  #ms = 0;
  #check: () => void = () => undefined;

  now(): number {
    return this.#ms;
  }

  async sleep(): Promise<void> {}

  every(_ms: number, work: () => void): () => void {
    this.#check = work;
    return () => (this.#check = () => undefined);
  }

  pass(ms: number): void {
    this.#ms += ms;
    this.date += ms;
  }

  /** Lets five idle seconds pass and runs the maintenance check. */
  async rest(store: Store): Promise<void> {
    this.pass(5_000);
    this.#check();
    // Resolves after the transactions before it.
    await store.commit(() => null);
  }
}

async function start(driver: StorageDriver = openMemoryDriver(), options: Partial<StoreOptions> = {}) {
  const time = new TestTime();
  const warnings: string[] = [];
  const store = await openStore(driver, {
    retentionReports: 2,
    retentionDays: 90,
    now: () => time.date,
    timing: time,
    warn: (_, message) => warnings.push(message),
    ...options,
  });
  await store.commit((transaction) => {
    transaction.put('projects', { id: 1, team_id: 1, name: 'Shop', api_key: 'key', created_at: '' });
  });
  const report = (kind: number, bodyBytes: number) =>
    store.commit((transaction) =>
      recordReport(
        transaction,
        {
          api_key: 'key',
          fingerprint: (kind + 1).toString(16).padStart(32, '0'),
          grouping: { version: 1, rule: 'place', components: [] },
          body: () => JSON.stringify({ message: 'x'.repeat(bodyBytes) }),
          project_id: 1,
          columns: { ...emptyValues, message: `Kind ${kind}` },
        },
        { errorQuota: null, retentionReports: 2, storageBudget: unlimitedStorage() },
      ),
    );
  const removeGroup = (id: number) =>
    store.commit((transaction) => {
      const group = transaction.group(id);
      if (group) transaction.removeGroup(group);
    });
  return { store, driver, time, warnings, report, removeGroup };
}

test('a deleted group is removed from the storage in the next idle seconds', async () => {
  const items = new Map<string, string>();
  const { store, time, report, removeGroup } = await start(openUnstorageDriver('map', '', mapDriver(items)));
  const { error_group_id } = await report(1, 40_000);
  await report(2, 100);
  const bytes = () => Array.from(items.values(), (item) => item.length).reduce((sum, length) => sum + length, 0);
  await removeGroup(error_group_id);
  expect(bytes()).toBeGreaterThan(50_000);
  await time.rest(store);
  await expect.poll(bytes).toBeLessThan(10_000);
  await store.close();
});

test('the log is compacted once most of it is garbage', async () => {
  const { store, driver, time, report } = await start();
  for (let count = 0; count < 30; count++) {
    time.pass(1_100);
    await report(1, 500_000);
  }
  const full = driver.log.sizeBytes;
  expect(full).toBeGreaterThan(15_000_000);
  await time.rest(store);
  await expect.poll(() => driver.log.sizeBytes).toBeLessThan(3_000_000);
  await store.close();
});

test('a log with little garbage is not compacted', async () => {
  const { store, driver, time, report } = await start();
  for (let kind = 0; kind < 30; kind++) await report(kind, 100_000);
  const before = store.model.batchNumber;
  for (let check = 0; check < 5; check++) await time.rest(store);
  expect(store.model.batchNumber).toBe(before);
  expect(driver.log.sizeBytes).toBeGreaterThan(3_000_000);
  await store.close();
});

test('a log with many reports is compacted, so that a start need not count them again', async () => {
  const { store, driver, time, report } = await start();
  const reports = (count: number) => Promise.all(Array.from({ length: count }, (_, index) => report(index % 10, 10)));
  await reports(19_000);
  const before = store.model.batchNumber;
  await time.rest(store);
  expect(store.model.batchNumber).toBe(before);
  await reports(2_000);
  const full = driver.log.sizeBytes;
  await time.rest(store);
  await expect.poll(() => driver.log.sizeBytes).toBeLessThan(full / 10);
  expect(store.model.groups.get(1)?.count).toBe(2_100);
  await store.close();
});

test('stored reports are removed after 90 days, and their counts stay', async () => {
  const { store, time, report } = await start();
  const { error_group_id: id } = await report(1, 100);
  time.pass(60 * dayMs);
  await report(1, 100);
  expect(store.model.groups.get(id)?.reportPointers.size).toBe(2);
  time.pass(31 * dayMs);
  await time.rest(store);
  await expect.poll(() => store.model.groups.get(id)?.reportPointers.size).toBe(1);
  time.pass(60 * dayMs);
  await time.rest(store);
  await expect.poll(() => store.model.groups.get(id)?.reportPointers.size).toBe(0);
  expect(store.model.groups.get(id)?.count).toBe(2);
  expect(store.model.storedBytes).toBe(0);
  await store.close();
});

test('a failed compaction loses no report and is retried with increasing delays', async () => {
  const driver = openMemoryDriver();
  let isFailing = false;
  let attempts = 0;
  const failingDriver: StorageDriver = {
    ...driver,
    log: {
      dropped: driver.log.dropped,
      read: () => driver.log.read(),
      readAt: (position, offset, length) => driver.log.readAt(position, offset, length),
      async seal() {
        attempts++;
        await driver.log.seal();
      },
      dropBefore: (number) => driver.log.dropBefore(number),
      get sizeBytes() {
        return driver.log.sizeBytes;
      },
      async append(number, bytes, bodies) {
        if (isFailing && Buffer.from(bytes).includes('counters')) throw new Error('ENOSPC: no space left on device');
        return driver.log.append(number, bytes, bodies);
      },
    },
  };
  const { store, time, warnings, report, removeGroup } = await start(failingDriver);
  isFailing = true;
  const { error_group_id } = await report(1, 1_000);
  await removeGroup(error_group_id);
  await time.rest(store);
  await expect.poll(() => warnings).toEqual(['background work on the log failed; the server retries in 30 s']);
  await time.rest(store);
  expect(attempts).toBe(1);
  expect((await report(2, 1_000)).is_new_group).toBe(true);
  time.pass(30_000);
  await time.rest(store);
  await expect.poll(() => warnings.at(-1)).toBe('background work on the log failed; the server retries in 60 s');
  isFailing = false;
  time.pass(60_000);
  await time.rest(store);
  await expect.poll(() => store.model.batchNumber).toBeGreaterThan(5);
  expect(attempts).toBe(3);
  expect(warnings).toHaveLength(2);
  await store.close();
});

test('a clock that is suddenly far ahead expires nothing, also after new reports', async () => {
  const { store, time, warnings, report } = await start();
  const { error_group_id: id } = await report(1, 100);
  const stored = () => store.model.groups.get(id)?.reportPointers.size;
  time.date += 100 * dayMs;
  time.pass(hourMs);
  await report(2, 100);
  await time.rest(store);
  await expect
    .poll(() => warnings.some((text) => text.includes('far ahead of the time that the server knows')))
    .toBe(true);
  expect(stored()).toBe(1);
  time.date -= 100 * dayMs;
  time.pass(hourMs);
  await time.rest(store);
  expect(stored()).toBe(1);
  await store.close();
});

test.each([
  { what: 'the shorter retention of reports', options: { retentionDays: 7 } },
  { what: 'the shorter retention of source maps', options: { sourceMapDays: 7 } },
])('a clock that is ahead by more than a third of $what expires nothing', async ({ options }) => {
  const { store, time, report } = await start(openMemoryDriver(), { retentionDays: 15, ...options });
  const { error_group_id: id } = await report(1, 100);
  time.date += 20 * dayMs;
  time.pass(hourMs);
  await time.rest(store);
  await store.compact();
  expect(store.isClockDoubted).toBe(true);
  expect(store.model.groups.get(id)?.reportPointers.size).toBe(1);
  await store.close();
});

test('an idle server with a short retention still expires its reports', async () => {
  const { store, time, report } = await start(openMemoryDriver(), { retentionDays: 7 });
  const { error_group_id: id } = await report(1, 100);
  time.pass(8 * dayMs);
  await time.rest(store);
  await expect.poll(() => store.model.groups.get(id)?.reportPointers.size).toBe(0);
  await store.close();
});

test('a clock that stays ahead is trusted after the server has run for three days', async () => {
  const { store, time, report } = await start();
  const { error_group_id: id } = await report(1, 100);
  const stored = () => store.model.groups.get(id)?.reportPointers.size;
  time.date += 100 * dayMs;
  for (let hour = 0; hour < 71; hour++) {
    time.pass(hourMs);
    await time.rest(store);
  }
  expect(stored()).toBe(1);
  time.pass(2 * hourMs);
  await time.rest(store);
  await expect.poll(stored).toBe(0);
  await store.close();
});

test('a first start with a clock that is far ahead expires nothing, nor does the next one', async () => {
  const driver = openMemoryDriver();
  const first = await start(driver);
  const { error_group_id: id } = await first.report(1, 100);
  const open = () =>
    openStore(
      { ...driver, close: async () => undefined },
      {
        retentionReports: 2,
        retentionDays: 90,
        now: () => first.time.date + 100 * dayMs,
        timing: first.time,
        warn: () => undefined,
      },
    );
  for (let round = 0; round < 2; round++) {
    const store = await open();
    await first.time.rest(store);
    await store.commit((transaction) => transaction.put('settings', { id: 'other', value: '1' }));
    expect(store.model.groups.get(id)?.reportPointers.size).toBe(1);
    expect(store.model.tables.settings.get('expiry_clock')?.value).toContain('2026-01-01');
    await store.close();
  }
});
