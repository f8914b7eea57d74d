import { StorageBudget } from '../../src/store/storage-budget.ts';

/** A budget that no test uses up, on a storage that is never full. */
export const unlimitedStorage = new StorageBudget(1_000_000, { assertFree: () => undefined });
