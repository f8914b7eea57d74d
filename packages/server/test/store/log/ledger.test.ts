import { expect, test, vi } from 'vitest';
import { openMemoryDriver } from '../../../src/storage/unstorage/memory.ts';
import type { StorageDriver } from '../../../src/store/log/storage-driver.ts';
import { openStore, type Store } from '../../../src/store/store.ts';

/** Opens a store on a real driver whose appends can be held and made to fail. */
async function start(): Promise<{
  store: Store;
  appends: number[];
  fail: (times: number) => void;
  hold: () => () => void;
}> {
  const driver = openMemoryDriver();
  const appends: number[] = [];
  let failures = 0;
  let gate = Promise.resolve();
  const failingDriver: StorageDriver = {
    ...driver,
    log: {
      dropped: driver.log.dropped,
      read: () => driver.log.read(),
      readAt: (position, offset, length) => driver.log.readAt(position, offset, length),
      seal: () => driver.log.seal(),
      dropBefore: (number) => driver.log.dropBefore(number),
      get sizeBytes() {
        return driver.log.sizeBytes;
      },
      async append(number, bytes, bodies) {
        await gate;
        if (failures-- > 0) throw new Error('ENOSPC: no space left on device');
        appends.push(number);
        return driver.log.append(number, bytes, bodies);
      },
    },
  };
  const store = await openStore(failingDriver, {
    retentionReports: 100,
    retentionDays: 90,
    now: Date.now,
    warn: () => undefined,
  });
  return {
    store,
    appends,
    fail: (times) => (failures = times),
    hold() {
      let release = (): void => undefined;
      gate = new Promise<void>((resolve) => (release = resolve));
      return release;
    },
  };
}

const addTeam = (store: Store, name: string): Promise<number> =>
  store.commit((transaction) => {
    const id = transaction.nextId('teams');
    transaction.put('teams', { id, name, created_at: '' });
    return id;
  });

test('transactions during an append become one batch', async () => {
  const { store, appends, hold } = await start();
  const release = hold();
  const first = addTeam(store, 'first');
  await new Promise((resolve) => setImmediate(resolve));
  const others = Array.from({ length: 50 }, (_, index) => addTeam(store, `other ${index}`));
  release();
  expect(await first).toBe(1);
  expect(await Promise.all(others)).toEqual(Array.from({ length: 50 }, (_, index) => index + 2));
  expect(appends).toEqual([1, 2]);
});

test('a change is visible only after it is durable', async () => {
  const { store, hold } = await start();
  const release = hold();
  const addition = addTeam(store, 'first');
  await new Promise((resolve) => setImmediate(resolve));
  expect(store.model.tables.teams.size).toBe(0);
  release();
  await addition;
  expect(store.model.tables.teams.size).toBe(1);
});

test('transactions are rejected while the storage fails, and succeed after it recovers', async () => {
  const { store, fail, appends } = await start();
  await addTeam(store, 'first');
  fail(2);
  const rejected = await Promise.allSettled([addTeam(store, 'a'), addTeam(store, 'b')]);
  expect(rejected.map((result) => result.status === 'rejected' && (result.reason as { code: string }).code)).toEqual([
    'storage_unavailable',
    'storage_unavailable',
  ]);
  await expect(addTeam(store, 'c')).rejects.toMatchObject({ code: 'storage_unavailable', retryAfterSeconds: 5 });
  expect(store.model.tables.teams.size).toBe(1);
  expect(await addTeam(store, 'd')).toBe(2);
  expect(await store.isReady()).toBe(true);
  expect(appends).toEqual([1, 2]);
});

test('an exception while a batch is applied is thrown as is and not counted as a storage failure', async () => {
  const { store, appends } = await start();
  vi.spyOn(store.model, 'apply').mockImplementationOnce(() => {
    throw new RangeError('a defect');
  });
  await expect(addTeam(store, 'first')).rejects.toThrow(new RangeError('a defect'));
  expect(store.writeMetrics.failures).toBe(0);
  expect(await store.isReady()).toBe(true);
  // The durable batch keeps its number.
  await addTeam(store, 'second');
  expect(appends).toEqual([1, 2]);
});

test('a transaction that throws does not affect the others of its batch', async () => {
  const { store } = await start();
  const failing = store.commit(() => {
    throw new RangeError('no');
  });
  const added = addTeam(store, 'first');
  await expect(failing).rejects.toThrow('no');
  expect(await added).toBe(1);
});

test('a closing ledger completes accepted transactions and rejects new ones', async () => {
  const { store } = await start();
  const additions = Array.from({ length: 10 }, (_, index) => addTeam(store, `team ${index}`));
  const closed = store.close();
  await expect(addTeam(store, 'late')).rejects.toMatchObject({ code: 'shutting_down' });
  await closed;
  expect(await Promise.all(additions)).toHaveLength(10);
});

test('a listener is called for each readable batch until it unsubscribes', async () => {
  const { store } = await start();
  const seen: string[] = [];
  const unsubscribe = store.onCommit(() => seen.push(`one: ${store.model.tables.teams.size}`));
  store.onCommit(() => seen.push(`other: ${store.model.tables.teams.size}`));
  await addTeam(store, 'first');
  unsubscribe();
  await addTeam(store, 'second');
  expect(seen).toEqual(['one: 1', 'other: 1', 'other: 2']);
});
