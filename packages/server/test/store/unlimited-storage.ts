import { StorageBudget, type StorageBudgetOptions } from '../../src/store/storage-budget.ts';

/** Returns a budget that no test uses up. By default, the storage is never full. */
export function unlimitedStorage(room: StorageBudgetOptions['room'] = { assertFree: () => undefined }): StorageBudget {
  return new StorageBudget({
    bytesPerHour: 1e12,
    projectBytes: 1e12,
    room,
    sizes: { storedBytesOf: () => 0 },
    now: () => 0,
  });
}
