import { json } from 'node:stream/consumers';
import type { Config } from '../config.ts';
import { Plans } from '../plans/plans.ts';
import { openStore } from '../store/store.ts';
import { administrations, type AdministrationName } from './administer.ts';
import { callServer } from './call-server.ts';
import { CommandError } from './command-error.ts';
import { assertPersistent, isRedis, openStopped } from './stopped-storage.ts';

/**
 * Runs a command of the operator through the running server, or else directly in the storage. Rejects with a
 * `CommandError` if the storage is Redis and no server can be reached.
 */
export async function runAdministration(config: Config, command: AdministrationName, operand = ''): Promise<string> {
  assertPersistent(config.storage, 'administer');
  const response = await callServer(config.storage, '/administer', { command, operand });
  if (response) return ((await json(response)) as { text: string }).text;
  // A server on another machine may use this Redis. Only that server may write to the log.
  if (isRedis(config.storage))
    throw new CommandError(
      'No server on this machine uses this Redis, but one on another machine may. Run this where the server runs.',
    );
  const { retentionReports, retentionDays, sourceMapDays } = config;
  const store = await openStore(await openStopped(config.storage), {
    retentionReports,
    retentionDays,
    sourceMapDays,
    now: Date.now,
    warn: (error, message) => console.error(`service-server: ${message}: ${(error as Error | null)?.message ?? ''}`),
  });
  try {
    return await administrations[command]({ store, plans: new Plans(config), config, now: Date.now }, operand);
  } finally {
    await store.close();
  }
}
