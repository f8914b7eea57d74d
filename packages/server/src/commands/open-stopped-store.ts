import type { Config } from '../config.ts';
import { openStore, type Store } from '../store/store.ts';
import { CommandError } from './command-error.ts';
import { printWarning } from './print-warning.ts';
import { isRedis, openStopped } from './stopped-storage.ts';

/**
 * Opens the store of a storage that no server uses, to change it. Rejects with a `CommandError` for Redis, for a
 * missing `file:` or `sqlite:` storage, or if a process that cannot be reached has locked it; else with the error of
 * the storage.
 */
export async function openStoppedStore(config: Config): Promise<Store> {
  const { storage, retentionReports, retentionDays, sourceMapDays } = config;
  // A server on another machine may use this Redis. Only that server may write to the log.
  if (isRedis(storage))
    throw new CommandError(
      'No server on this machine uses this Redis, but one on another machine may. Run this where the server runs.',
    );
  return openStore(await openStopped(storage), {
    retentionReports,
    retentionDays,
    sourceMapDays,
    now: Date.now,
    warn: printWarning,
  });
}
