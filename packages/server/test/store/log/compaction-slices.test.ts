import { expect, test } from 'vitest';
import { randomBelow } from '../../../../../test/test-utils/seeded-random.mjs';
import { openMemoryDriver } from '../../../src/storage/unstorage/memory.ts';
import type { StorageDriver } from '../../../src/store/log/storage-driver.ts';
import { BusyStore, visibleState } from '../busy-store.ts';

test('a compaction writes many rows in small batches, and rows that change in between are kept', async () => {
  const driver = openMemoryDriver();
  const sizes: number[] = [];
  let onAppend = (): void => undefined;
  const watched: StorageDriver = {
    ...driver,
    close: async () => undefined,
    log: {
      dropped: driver.log.dropped,
      read: () => driver.log.read(),
      readAt: (position, offset, length) => driver.log.readAt(position, offset, length),
      seal: () => driver.log.seal(),
      dropBefore: (number) => driver.log.dropBefore(number),
      get sizeBytes() {
        return driver.log.sizeBytes;
      },
      append(number, bytes, bodies) {
        sizes.push(bytes.length);
        onAppend();
        return driver.log.append(number, bytes, bodies);
      },
    },
  };
  const busy = await BusyStore.open(watched, randomBelow(1));
  const project = await busy.addProject();
  const put = (index: number, value: string) =>
    busy.store.commit((transaction) =>
      transaction.put('settings', { id: `setting ${index}`, value: `${value} ${'x'.repeat(200)}` }),
    );
  await Promise.all(Array.from({ length: 20_000 }, (_, index) => put(index, 'old')));
  await busy.report(project, 1);

  sizes.length = 0;
  const changes: Promise<unknown>[] = [];
  onAppend = () => {
    // Changes, removes and adds rows that are already written, and rows that are not.
    const { length } = changes;
    if (length >= 200) return;
    changes.push(put(length * 100, 'new'));
    changes.push(busy.store.commit((transaction) => transaction.remove('settings', `setting ${length * 100 + 7}`)));
    changes.push(put(30_000 + length, 'added'));
  };
  await busy.store.compact();
  await Promise.all(changes);
  expect(sizes.length).toBeGreaterThan(10);
  expect(Math.max(...sizes)).toBeLessThan(800_000);

  const state = async (): Promise<unknown> => [
    await visibleState(busy),
    Array.from(busy.store.model.tables.settings.values(), ({ id, value }) => [id, value[0]]).toSorted(),
  ];
  const before = await state();
  await busy.store.close();
  await busy.reopen(watched);
  expect(await state()).toEqual(before);
  await busy.store.close();
});
