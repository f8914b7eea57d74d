import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { SeededRandom } from '../../../../../test/test-utils/seeded-random.mjs';
import { evictReports } from '../../../src/store/log/evict-reports.ts';
import { Ledger } from '../../../src/store/log/ledger.ts';
import { machineTiming } from '../../../src/time/timing.ts';
import type { Model } from '../../../src/store/model/model.ts';
import { openMemoryDriver } from '../../../src/storage/unstorage/memory.ts';
import { cleanUp, temporaryFolder, type Body } from '../../test-utils/describe-service.ts';
import { openService, type OpenService } from '../../test-utils/open-service.ts';
import { BusyStore } from '../busy-store.ts';

const mb = 1024 * 1024;

afterEach(cleanUp);

/** Text that does not shrink when it is compressed. */
const noise = (length: number): string =>
  Array.from({ length }, () => String.fromCharCode(35 + Math.random() * 57)).join('');

/** Sends reports that take about 28 kB each, and returns the ids of their groups, oldest first. */
async function fill({ call }: OpenService, key: unknown, count: number): Promise<number[]> {
  const groups: number[] = [];
  for (let sent = 0; sent < count; sent++) {
    const metadata = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, noise(8_000)]));
    const body = { project_api_key: key, message: 'Big', fingerprint: [noise(20)], metadata };
    groups.push((await call('POST', 'errors', { body })).body.error_group_id ?? 0);
    // Reports of one millisecond would have the same age.
    await sleep(2);
  }
  return groups;
}

async function createProject({ call }: OpenService, name: string): Promise<Body> {
  return (await call('POST', 'projects', { body: { name } })).body;
}

/** Returns which of these groups have a stored report. */
async function stored({ call }: OpenService, groups: readonly number[]): Promise<boolean[]> {
  const details = await Promise.all(groups.map((id) => call('GET', `errors/${id}`)));
  for (const { body } of details) expect(body.count).toBe(1);
  return details.map(({ body }) => body.latest_report !== null);
}

/** Counts the stored bytes of a project from all of its groups. */
function countedBytes({ groups }: Model, projectId: number): number {
  return Array.from(groups.ids(), (id) => groups.get(id))
    .filter((group) => group?.projectId === projectId)
    .reduce((sum, group) => sum + (group?.reportPointers.bytes ?? 0), 0);
}

test('the oldest reports of a full project are deleted for new ones, also after restarts and compactions', async () => {
  const storage = `file:${await temporaryFolder()}`;
  let service = await openService({ storage, projectMb: 1 });
  const bytes = (): number => service.services.store.model.groups.sizes.storedBytesOf(big.id ?? 0);
  const big = await createProject(service, 'Big');
  const small = await createProject(service, 'Small');
  const [kept = 0] = await fill(service, small.api_key, 1);
  const groups = await fill(service, big.api_key, 32);
  for (let round = 0; round < 15; round++) {
    groups.push(...(await fill(service, big.api_key, 1)));
    expect(bytes()).toBeLessThanOrEqual(mb);
    await expect.poll(bytes).toBeLessThanOrEqual(0.95 * mb);
  }
  const before = await stored(service, groups);
  // An eviction leaves little more than a tenth of the limit free: the newest reports are stored, the oldest are not.
  expect(bytes()).toBeGreaterThan(0.5 * mb);
  expect(before.at(0)).toBe(false);
  expect(before.at(-1)).toBe(true);
  expect(before.lastIndexOf(false)).toBeLessThan(before.indexOf(true));
  expect(await stored(service, [kept])).toEqual([true]);
  const { evictedReports } = service.services.store;
  expect(evictedReports).toBe(before.filter((isStored) => !isStored).length);

  const size = bytes();
  await service.close();
  service = await openService({ storage, projectMb: 1 });
  expect([bytes(), await stored(service, groups)]).toEqual([size, before]);
  await service.services.store.compact();
  expect([bytes(), countedBytes(service.services.store.model, big.id ?? 0)]).toEqual([size, size]);
  expect(service.services.store.driver.log.sizeBytes).toBeLessThan(1.2 * mb);
  await service.close();
  service = await openService({ storage, projectMb: 1 });
  expect([bytes(), await stored(service, groups)]).toEqual([size, before]);
  const usage = await service.call<{ storage: object }>('GET', 'billing/usage');
  expect(usage.body.storage).toMatchObject({
    state: 'ok',
    project_limit_bytes: mb,
    largest_project: { project_id: big.id, used_bytes: size },
  });
  await service.close();
});

test('a report that would exceed the limit of its project is counted, and shown as not stored', async () => {
  const service = await openService({ projectMb: 1 }, { timing: { ...machineTiming, every: () => () => undefined } });
  const { id, api_key } = await createProject(service, 'Big');
  const groups = await fill(service, api_key, 45);
  const isStored = await stored(service, groups);
  const notStored = isStored.filter((one) => !one).length;
  expect(isStored.lastIndexOf(true)).toBeLessThan(isStored.indexOf(false));
  const { body } = await service.call<{ storage: { used_bytes: number } }>('GET', 'billing/usage');
  expect(body.storage).toMatchObject({ not_stored: notStored, largest_project: { project_id: id } });
  expect(body.storage.used_bytes).toBeLessThanOrEqual(mb);
  expect(body.storage.used_bytes).toBeGreaterThan(0.95 * mb);
  await service.close();
});

test('an eviction leaves a tenth of the limit free, at any distribution of ages, and spares other projects', async () => {
  for (const [seed, gapMs] of [
    [1, 0],
    [2, 1],
    [3, 5_000],
    [4, 86_400_000],
  ] as const) {
    const seeded = new SeededRandom(seed);
    const random = (below: number): number => seeded.below(below);
    const driver = openMemoryDriver();
    const busy = await BusyStore.open({ ...driver, close: async () => undefined }, random);
    const [crowded, other] = [await busy.addProject(), await busy.addProject()];
    for (let count = 0; count < 300; count++) {
      // The first half of the reports arrives at once.
      busy.now += count < 150 ? random(2) : gapMs;
      await busy.report(count % 10 === 0 ? other : crowded, random(100));
    }
    await busy.store.close();
    const ledger = await Ledger.open(driver.log, 3, () => busy.now);
    const { groups } = ledger.model;
    const [size, otherSize] = [groups.sizes.storedBytesOf(crowded), groups.sizes.storedBytesOf(other)];
    expect([size, otherSize]).toEqual([crowded, other].map((id) => countedBytes(ledger.model, id)));
    const options = { projectBytes: size / 0.96, groupsAtOnce: 7, timing: machineTiming, isStopped: () => false };
    expect(await evictReports(ledger, options)).toBeGreaterThan(0);
    expect(groups.sizes.storedBytesOf(crowded)).toBe(countedBytes(ledger.model, crowded));
    expect(groups.sizes.storedBytesOf(crowded)).toBeLessThanOrEqual(0.9 * options.projectBytes);
    // Reports that share a millisecond are deleted together.
    const least = gapMs > 1 ? 0.8 * options.projectBytes : 0;
    expect(groups.sizes.storedBytesOf(crowded)).toBeGreaterThanOrEqual(least);
    expect(groups.sizes.storedBytesOf(other)).toBe(otherSize);
    expect(await evictReports(ledger, options)).toBe(0);
    await ledger.close();
  }
});
